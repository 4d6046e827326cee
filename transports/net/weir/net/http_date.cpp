#include <weir/net/http_date.hpp>

#include <array>
#include <chrono>

namespace weir::net {
namespace {

constexpr std::array<std::string_view, 7> days{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 7> long_days{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Takes the text to pieces from its front. After the first piece that is not there, all are missing.
class pieces {
public:
  explicit pieces(std::string_view text) noexcept : rest_(text) {}
  bool whole() const noexcept { return good_ && rest_.empty(); }

  void skip(std::string_view expected) noexcept {
    if (good_ && rest_.starts_with(expected)) rest_.remove_prefix(expected.size());
    else good_ = false;
  }
  // Which of the names comes; from 0.
  template <std::size_t N> unsigned one_of(std::array<std::string_view, N> const& names) noexcept {
    for (unsigned i = 0; good_ && i != N; ++i) {
      if (!rest_.starts_with(names[i])) continue;
      rest_.remove_prefix(names[i].size());
      return i;
    }
    good_ = false;
    return 0;
  }
  int number(std::size_t digits) noexcept {
    int n = 0;
    for (std::size_t i = 0; i != digits; ++i) {
      if (!good_ || rest_.empty() || rest_.front() < '0' || rest_.front() > '9') {
        good_ = false;
        return 0;
      }
      n = n * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return n;
  }
  bool next_is(char c) const noexcept { return good_ && !rest_.empty() && rest_.front() == c; }

private:
  std::string_view rest_;
  bool good_ = true;
};

struct fields {
  int year = 0, day = 0, hour = 0, minute = 0, second = 0;
  unsigned month = 0;
};

void take_time(pieces& p, fields& f) noexcept {
  f.hour = p.number(2);
  p.skip(":");
  f.minute = p.number(2);
  p.skip(":");
  f.second = p.number(2);
}

bool imf_fixdate(std::string_view text, fields& f) noexcept {
  pieces p(text);
  p.one_of(days);
  p.skip(", ");
  f.day = p.number(2);
  p.skip(" ");
  f.month = p.one_of(months) + 1;
  p.skip(" ");
  f.year = p.number(4);
  p.skip(" ");
  take_time(p, f);
  p.skip(" GMT");
  return p.whole();
}

bool rfc850_date(std::string_view text, instant now, fields& f) noexcept {
  pieces p(text);
  p.one_of(long_days);
  p.skip(", ");
  f.day = p.number(2);
  p.skip("-");
  f.month = p.one_of(months) + 1;
  p.skip("-");
  int const two_digits = p.number(2);
  p.skip(" ");
  take_time(p, f);
  p.skip(" GMT");
  std::chrono::year_month_day const today(std::chrono::floor<std::chrono::days>(to_sys_time(now)));
  int const this_year = static_cast<int>(today.year());
  f.year = this_year / 100 * 100 + two_digits;
  if (f.year > this_year + 50) f.year -= 100;
  return p.whole();
}

bool asctime_date(std::string_view text, fields& f) noexcept {
  pieces p(text);
  p.one_of(days);
  p.skip(" ");
  f.month = p.one_of(months) + 1;
  p.skip(" ");
  if (p.next_is(' ')) {
    p.skip(" ");
    f.day = p.number(1);
  } else {
    f.day = p.number(2);
  }
  p.skip(" ");
  take_time(p, f);
  p.skip(" ");
  f.year = p.number(4);
  return p.whole();
}

}  // namespace

std::optional<instant> parse_http_date(std::string_view text, instant now) noexcept {
  fields f;
  if (!imf_fixdate(text, f) && !rfc850_date(text, now, f) && !asctime_date(text, f)) return std::nullopt;
  std::chrono::year_month_day const date(std::chrono::year(f.year), std::chrono::month(f.month),
                                         std::chrono::day(static_cast<unsigned>(f.day)));
  if (!date.ok() || f.hour > 23 || f.minute > 59 || f.second > 60) return std::nullopt;
  std::chrono::sys_seconds const at =
      std::chrono::sys_days(date) + std::chrono::hours(f.hour) + std::chrono::minutes(f.minute) + std::chrono::seconds(f.second);
  return to_instant(at);
}

std::string http_date(instant t) {
  auto const second = std::chrono::floor<std::chrono::seconds>(to_sys_time(t));
  auto const day = std::chrono::floor<std::chrono::days>(second);
  std::chrono::year_month_day const date(day);
  std::chrono::hh_mm_ss const time(second - day);
  std::string out(days.at((std::chrono::weekday(day).iso_encoding() - 1)));
  auto const append = [&](std::string_view before, std::int64_t n) {
    out += before;
    if (n < 10) out += '0';
    out += std::to_string(n);
  };
  append(", ", static_cast<unsigned>(date.day()));
  out.append(" ").append(months.at(static_cast<unsigned>(date.month()) - 1));
  append(" ", static_cast<int>(date.year()));
  append(" ", time.hours().count());
  append(":", time.minutes().count());
  append(":", time.seconds().count());
  return out + " GMT";
}

}  // namespace weir::net
