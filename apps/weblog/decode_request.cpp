#include "decode_request.hpp"

#include "log_time.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace weblog {
namespace {

// Reads the line from left to right. Each step says whether it matched; the first that does not remembers what was expected where.
class reader {
public:
  explicit reader(std::string_view line) noexcept : line_(line) {}

  request_fault const& fault() const noexcept { return fault_; }
  bool done() const noexcept { return at_ == line_.size(); }

  bool fail(std::string_view expected, std::size_t at) noexcept {
    fault_ = request_fault{expected, at};
    return false;
  }
  bool literal(char c, std::string_view expected) noexcept {
    if (done() || line_[at_] != c) return fail(expected, at_);
    ++at_;
    return true;
  }
  bool next_is(char c) const noexcept { return !done() && line_[at_] == c; }
  // What stands before the next blank; at least one character.
  bool word(std::string_view& out, std::string_view expected) noexcept { return until(" ", out, expected); }
  // What stands before `end`, which is passed over.
  bool until(std::string_view end, std::string_view& out, std::string_view expected) noexcept {
    std::size_t const found = line_.find(end, at_);
    if (found == std::string_view::npos || found == at_) return fail(expected, at_);
    out = line_.substr(at_, found - at_);
    at_ = found + end.size();
    return true;
  }
  // The text between quotes; `closed` is false where the line ends first.
  bool quoted(std::string_view& out, bool& closed, std::string_view expected) noexcept {
    if (!literal('"', expected)) return false;
    std::size_t const begin = at_;
    std::size_t end = line_.find('"', begin);
    while (end != std::string_view::npos && is_escaped(begin, end)) end = line_.find('"', end + 1);
    closed = end != std::string_view::npos;
    if (!closed) end = line_.size();
    out = line_.substr(begin, end - begin);
    at_ = closed ? end + 1 : end;
    return true;
  }
  bool quoted(std::string_view& out, std::string_view expected, std::string_view closing) noexcept {
    bool closed = false;
    return quoted(out, closed, expected) && (closed || fail(closing, line_.size()));
  }
  std::size_t at() const noexcept { return at_; }

private:
  // An odd number of backslashes stands before the quote.
  bool is_escaped(std::size_t begin, std::size_t quote) const noexcept {
    std::size_t i = quote;
    while (i != begin && line_[i - 1] == '\\') --i;
    return (quote - i) % 2 != 0;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  request_fault fault_;
};

bool is_visible(std::string_view text) noexcept {
  for (char const c : text)
    if (c <= ' ' || c > '~') return false;  // bytes from 0x80 on are negative, or above '~'
  return true;
}

std::string_view expected_of(log_time_fault fault) noexcept {
  switch (fault) {
    case log_time_fault::form: break;
    case log_time_fault::month: return "a time with a month from Jan to Dec";
    case log_time_fault::date: return "a time on a day that exists";
    case log_time_fault::clock: return "a time of day up to 23:59:59";
    case log_time_fault::offset: return "a time with an offset from UTC up to 23:59";
    case log_time_fault::range: return "a time in the years 1680 to 2260";
  }
  return "a time of the form [17/May/2015:10:05:03 +0000]";
}

bool read_client(reader& in, request& out) noexcept {
  std::string_view identity;
  if (!in.word(out.client, "the client's address or name, then a blank")) return false;
  if (!is_visible(out.client)) return in.fail("an address or name in visible ASCII characters", 0);
  constexpr std::string_view user_form = "the user's name or -, then the time in brackets";
  if (!in.word(identity, "the client's identity or -, then a blank")) return false;
  std::size_t const at = in.at();
  if (in.next_is('[')) return in.fail(user_form, at);
  if (!in.until(" [", out.user, user_form)) return false;
  std::size_t const quote = out.user.find('"');  // where there is one, the bracket is not that of the time
  return quote == std::string_view::npos || (quote != 0 && out.user[quote - 1] == '\\') || in.fail(user_form, at);
}

bool read_time(reader& in, request& out) noexcept {
  std::size_t const at = in.at();
  std::string_view text;
  if (!in.until("]", text, expected_of(log_time_fault::form))) return false;
  auto const time = parse_log_time(text);
  if (!time) return in.fail(expected_of(time.error()), at);
  out.time = *time;
  return in.literal(' ', "a blank behind the time");
}

bool is_method(std::string_view text) noexcept {
  for (char const c : text)
    if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && c != '-' && c != '_') return false;
  return !text.empty();
}

// A client may send anything; then the server logs that, and answers with an error.
void split_request_line(std::string_view text, request& out) noexcept {
  std::size_t const blank = text.find(' ');
  if (blank == std::string_view::npos || blank + 1 == text.size() || !is_method(text.substr(0, blank))) {
    out.path = text;
    return;
  }
  out.method = text.substr(0, blank);
  out.path = text.substr(blank + 1);
  std::size_t const last = out.path.rfind(" HTTP/");
  if (last == std::string_view::npos) return;
  out.protocol = out.path.substr(last + 1);
  out.path = out.path.substr(0, last);
}

bool read_request_line(reader& in, request& out) noexcept {
  std::string_view text;
  if (!in.quoted(text, "the request in quotes", "a quote that ends the request")) return false;
  split_request_line(text, out);
  return in.literal(' ', "a blank behind the request");
}

bool read_answer(reader& in, request& out) noexcept {
  constexpr std::string_view status_form = "a status of three digits from 100 on, then a blank";
  constexpr std::string_view bytes_form = "a number of bytes or -, then a blank";
  std::size_t at = in.at();
  std::string_view status, bytes;
  if (!in.word(status, status_form)) return false;
  if (status.size() != 3 || status[0] < '1' || status.find_first_not_of("0123456789") != std::string_view::npos)
    return in.fail(status_form, at);
  std::from_chars(status.data(), status.data() + status.size(), out.status);
  at = in.at();
  if (!in.word(bytes, bytes_form)) return false;
  if (bytes == "-") return true;
  auto const [end, failure] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), out.bytes);
  if (failure == std::errc::result_out_of_range) return in.fail("a number of bytes below 2^64", at);
  return (failure == std::errc() && end == bytes.data() + bytes.size()) || in.fail(bytes_form, at);
}

bool read_browser(reader& in, request& out) noexcept {
  bool closed = false;
  if (!in.quoted(out.referer, "the referer in quotes", "a quote that ends the referer")) return false;
  if (!in.literal(' ', "a blank behind the referer")) return false;
  if (!in.quoted(out.agent, closed, "the user agent in quotes")) return false;
  out.cut = !closed;
  return in.done() || in.fail("the end of the line behind the user agent", in.at());
}

}  // namespace

boost::system::result<request, request_fault> decode_request(std::string_view line) noexcept {
  reader in(line);
  request out;
  if (!read_client(in, out) || !read_time(in, out) || !read_request_line(in, out) || !read_answer(in, out) || !read_browser(in, out))
    return in.fault();
  return out;
}

std::string describe(request_fault const& fault, std::string_view line) {
  auto const rest = line.substr(fault.at);
  auto const found = rest.empty() ? std::string("the line ends there") : fmt::format("there is \"{}\"", command_line::shown(rest));
  return fmt::format("column {} should have {}, but {}", fault.at + 1, fault.expected, found);
}

}  // namespace weblog
