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
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Error";
  }
}

}  // namespace

page::page(unsigned code, std::string_view content_type, std::string content, powers p)
    : status(code), type(content_type), may(p), body(std::make_shared<std::string const>(std::move(content))) {}

bool page::is_stream() const { return status == 200 && type == own_page::events; }

std::string page::head(connection then) const {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason(status)) + "\r\n";
  out += "Content-Type: " + type + "\r\n";
  if (!is_stream()) out += "Content-Length: " + std::to_string(body->size()) + "\r\n";
  out += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; ";
  if (may == powers::own) out += "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ";
  out += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n";
  if (status == 401) out += "WWW-Authenticate: Bearer\r\n";
  if (status == 405) out += "Allow: GET, HEAD\r\n";
  if (then == connection::closes) out += "Connection: close\r\n";
  return out += "\r\n";
}

}  // namespace weir::status::detail
