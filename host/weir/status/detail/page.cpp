#include <weir/status/detail/page.hpp>

#include <utility>

namespace weir::status::detail {
namespace {

std::string_view reason(unsigned status) noexcept {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 421: return "Misdirected Request";
    case 408: return "Request Timeout";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Error";
  }
}

}  // namespace

page::page(unsigned code, std::string_view content_type, std::string content)
    : status(code), type(content_type), body(std::make_shared<std::string const>(std::move(content))) {}

std::string page::head(connection then) const {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason(status)) + "\r\n";
  out += "Content-Type: " + std::string(type) + "\r\nContent-Length: " + std::to_string(body->size()) + "\r\n";
  out += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'\r\n";
  if (status == 401) out += "WWW-Authenticate: Bearer\r\n";
  if (status == 405) out += "Allow: GET, HEAD\r\n";
  if (then == connection::closes) out += "Connection: close\r\n";
  return out += "\r\n";
}

}  // namespace weir::status::detail
