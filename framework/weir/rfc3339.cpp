#include <weir/rfc3339.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <chrono>

namespace weir {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// Reads the text from left to right; every step says whether it matched.
class reader {
public:
  explicit reader(std::string_view text) noexcept : rest_(text) {}
  bool done() const noexcept { return rest_.empty(); }
  bool digits(std::size_t count, int& out) noexcept {
    if (rest_.size() < count) return false;
    out = 0;
    for (char const c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return false;
      out = out * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  bool one_of(std::string_view wanted, char& which) noexcept {
    if (rest_.empty() || wanted.find(rest_.front()) == std::string_view::npos) return false;
    which = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }
  bool one_of(std::string_view wanted) noexcept {
    char which = 0;
    return one_of(wanted, which);
  }
  // All digits there are; scaled to nanoseconds. At least one.
  bool fraction(std::int64_t& nanoseconds, std::size_t& count) noexcept {
    nanoseconds = 0;
    for (count = 0; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; ++count, rest_.remove_prefix(1))
      if (count < 9) nanoseconds = nanoseconds * 10 + (rest_.front() - '0');
    for (std::size_t i = count; i < 9; ++i) nanoseconds *= 10;
    return count != 0;
  }

private:
  std::string_view rest_;
};

void put(std::string& out, std::int64_t number, int width) {
  std::size_t const from = out.size();
  out.append(static_cast<std::size_t>(width), '0');
  for (std::size_t i = out.size(); i != from; number /= 10) out[--i] = static_cast<char>('0' + number % 10);
}

}  // namespace

boost::system::result<instant, rfc3339_fault> parse_rfc3339(std::string_view text) noexcept {
  reader in(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, seconds = 0, offset_hour = 0, offset_minute = 0;
  std::int64_t nanoseconds = 0;
  std::size_t precision = 0;
  bool const start = in.digits(4, year) && in.one_of("-") && in.digits(2, month) && in.one_of("-") && in.digits(2, day) &&
                     in.one_of("Tt ") && in.digits(2, hour) && in.one_of(":") && in.digits(2, minute) && in.one_of(":") &&
                     in.digits(2, seconds);
  if (!start) return rfc3339_fault::malformed;
  if (in.one_of(".") && !in.fraction(nanoseconds, precision)) return rfc3339_fault::malformed;
  char sign = 0;
  if (!in.one_of("Zz+-", sign)) return rfc3339_fault::malformed;
  bool const utc = sign == 'Z' || sign == 'z';
  if (!utc && !(in.digits(2, offset_hour) && in.one_of(":") && in.digits(2, offset_minute))) return rfc3339_fault::malformed;
  if (!in.done()) return rfc3339_fault::malformed;

  using namespace std::chrono;
  year_month_day const date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return rfc3339_fault::no_such_date;
  if (hour > 23 || minute > 59 || seconds > 60) return rfc3339_fault::no_such_time;
  if (offset_hour > 23 || offset_minute > 59) return rfc3339_fault::no_such_offset;
  if (precision > 9) return rfc3339_fault::too_precise;

  std::int64_t const offset = (std::int64_t(offset_hour) * 60 + offset_minute) * (sign == '-' ? -60 : 60);
  std::int64_t const of_day = (std::int64_t(hour) * 60 + minute) * 60 + seconds;
  std::int64_t const since_epoch = sys_days(date).time_since_epoch().count() * std::int64_t(86'400) + of_day - offset;
  if (seconds == 60) {
    auto const behind = sys_seconds(std::chrono::seconds(since_epoch));  // the first second of a month, if this is a leap second
    auto const midnight = floor<days>(behind);
    if (behind != midnight || year_month_day(midnight).day() != std::chrono::day(1)) return rfc3339_fault::no_such_time;
  }
  // Before 1970 the whole seconds alone may be too low by one for 64 bits of nanoseconds.
  std::int64_t const whole = since_epoch < 0 ? since_epoch + 1 : since_epoch;
  std::int64_t const rest = since_epoch < 0 ? nanoseconds - second : nanoseconds;
  instant out = 0;
  if (__builtin_mul_overflow(whole, second, &out) || __builtin_add_overflow(out, rest, &out)) return rfc3339_fault::out_of_range;
  return out;
}

std::string format_rfc3339(instant t, int digits) {
  using namespace std::chrono;
  auto const seconds = floor<std::chrono::seconds>(to_sys_time(t));
  auto const midnight = floor<days>(seconds);
  year_month_day const date(midnight);
  std::int64_t const of_day = (seconds - midnight).count();
  std::string out;
  out.reserve(30);
  put(out, static_cast<int>(date.year()), 4);
  out += '-';
  put(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  put(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  put(out, of_day / 3600, 2);
  out += ':';
  put(out, of_day / 60 % 60, 2);
  out += ':';
  put(out, of_day % 60, 2);
  if (digits > 0) {
    std::int64_t const rest = t % second < 0 ? t % second + second : t % second;
    out += '.';
    put(out, rest, 9);
    out.resize(out.size() - 9 + static_cast<std::size_t>(std::min(digits, 9)));
  }
  return out += 'Z';
}

std::string format_rfc3339(instant t) {
  int const digits = t % second == 0 ? 0 : t % 1'000'000 == 0 ? 3 : t % 1'000 == 0 ? 6 : 9;
  return format_rfc3339(t, digits);
}

std::string_view to_string(rfc3339_fault fault) noexcept {
  switch (fault) {
    case rfc3339_fault::malformed: return "is not of the form 2024-08-08T23:54:15.342Z";
    case rfc3339_fault::no_such_date: return "names a day that does not exist";
    case rfc3339_fault::no_such_time: return "names a time of day that does not exist";
    case rfc3339_fault::no_such_offset: return "has an offset from UTC that does not exist";
    case rfc3339_fault::too_precise: return "has more than nine digits of a second";
    case rfc3339_fault::out_of_range: return "is not between the years 1677 and 2262";
  }
  return "is not a time";
}

void throw_exception_from_error(rfc3339_fault fault, boost::source_location const&) {
  throw error(errc::malformed, "time: cannot read a time", "the text " + std::string(to_string(fault)), "write it as in RFC 3339");
}

}  // namespace weir
