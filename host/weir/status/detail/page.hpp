#pragma once
#include <weir/status/own_page.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace weir::status::detail {

// What is answered. Bodies are shared by all who ask at one time.
class page {
public:
  static constexpr std::string_view plain = "text/plain; charset=utf-8";
  // What a browser may do with it: nothing, or run and ask for what comes from here.
  enum class powers { none, own };
  page(unsigned code, std::string_view content_type, std::string content, powers may = powers::none);

  unsigned status;
  std::string type;
  powers may;
  std::shared_ptr<std::string const> body;

  // What follows are events without end, of which `body` has the next.
  bool is_stream() const;
  // The head of the answer: HTTP/1.1 (RFC 9112 section 4, RFC 9110). `close`: nothing more is answered on that connection, as behind a
  // stream.
  enum class connection { stays, closes };
  std::string head(connection then) const;
};

}  // namespace weir::status::detail
