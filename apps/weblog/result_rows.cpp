#include "result_rows.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace weblog {
namespace {

std::int64_t milliseconds(weir::instant t) { return weir::floor_to(t, std::chrono::milliseconds(1)) / 1'000'000; }

// A field of CSV (RFC 4180 section 2): in quotes where it needs them.
std::string field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char const c : text) out += c == '"' ? std::string(2, c) : std::string(1, c);
  return out += '"';
}

}  // namespace

std::string session_row::text() const {
  return fmt::format("{},{},{},{}", field(client), milliseconds(first_request), milliseconds(session_end), requests);
}

std::string status_row::text() const { return fmt::format("{},{},{}", milliseconds(window_start), status, requests); }

std::string sliding_row::text() const { return fmt::format("{},{},{}", milliseconds(window_start), milliseconds(window_end), requests); }

std::string top_client_row::text() const { return fmt::format("{},{},{},{}", milliseconds(window_start), field(client), requests, rank); }

std::string alert_row::text() const {
  return fmt::format("{},{},{},{}", milliseconds(window_start), milliseconds(window_end), requests, errors);
}

std::string late_row::text() const { return fmt::format("{},{},{},{}", field(result), milliseconds(time), field(client), status); }

}  // namespace weblog
