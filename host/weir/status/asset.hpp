#pragma once
#include <span>
#include <string_view>

namespace weir::status {

/// A file of a web page that is in the program. Everything lasts as long as that.
struct asset {
  std::string_view path;  ///< "/page/main.js"
  std::string_view type;  ///< "text/javascript; charset=utf-8"
  std::span<unsigned char const> bytes;
};

}  // namespace weir::status
