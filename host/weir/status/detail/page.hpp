#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace weir::status::detail {

// What is answered. Bodies are shared by all who ask at one time.
class page {
public:
  static constexpr std::string_view plain = "text/plain; charset=utf-8";
  page(unsigned code, std::string_view content_type, std::string content);

  unsigned status;
  std::string_view type;  // outlives it
  std::shared_ptr<std::string const> body;

  // The head of the answer: HTTP/1.1 (RFC 9112 section 4, RFC 9110). `close`: nothing more is answered on that connection.
  enum class connection { stays, closes };
  std::string head(connection then) const;
};

}  // namespace weir::status::detail
