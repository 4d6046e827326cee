#include "log_time.hpp"

#include <command_line/time_text.hpp>

#include <chrono>

namespace weblog {
namespace {

constexpr std::string_view form = "dd/mmm/dddd:dd:dd:dd +dddd";  // d: digit, m: letter, +: sign
static_assert(form.size() == log_time_size);

bool has_form(std::string_view text) noexcept {
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i != form.size(); ++i) {
    char const c = text[i];
    bool good = c == form[i];
    if (form[i] == 'd') good = c >= '0' && c <= '9';
    if (form[i] == 'm') good = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (form[i] == '+') good = c == '+' || c == '-';
    if (!good) return false;
  }
  return true;
}

// The digits at a place; `has_form` has seen that they are some.
int number(std::string_view text, std::size_t from, std::size_t digits) noexcept {
  int value = 0;
  for (char const c : text.substr(from, digits)) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

boost::system::result<weir::instant, log_time_fault> parse_log_time(std::string_view text) noexcept {
  if (!has_form(text)) return log_time_fault::form;
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  std::size_t const month = months.find(text.substr(3, 3));
  if (month == std::string_view::npos || month % 3 != 0) return log_time_fault::month;

  namespace chrono = std::chrono;
  chrono::year_month_day const date(chrono::year(number(text, 7, 4)), chrono::month(static_cast<unsigned>(month / 3 + 1)),
                                    chrono::day(static_cast<unsigned>(number(text, 0, 2))));
  if (!date.ok()) return log_time_fault::date;
  int const hour = number(text, 12, 2), minute = number(text, 15, 2), second = number(text, 18, 2);
  if (hour > 23 || minute > 59 || second > 59) return log_time_fault::clock;
  int const offset_hour = number(text, 22, 2), offset_minute = number(text, 24, 2);
  if (offset_hour > 23 || offset_minute > 59) return log_time_fault::offset;

  std::int64_t const days = chrono::sys_days(date).time_since_epoch().count();
  std::int64_t const offset = (offset_hour * 60 + offset_minute) * (text[21] == '-' ? -60 : 60);
  std::int64_t const seconds = days * 86'400 + (hour * 60 + minute) * 60 + second - offset;
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  if (seconds < command_line::earliest_event_time / nanoseconds || seconds > command_line::latest_event_time / nanoseconds)
    return log_time_fault::range;
  return seconds * nanoseconds;
}

}  // namespace weblog
