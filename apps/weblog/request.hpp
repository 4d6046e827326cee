#pragma once

#include <weir/instant.hpp>

#include <cstdint>
#include <string_view>

namespace weblog {

/// One line of an access log. The views are into the line; quoted texts are as they were logged, with their escapes (`\"`, `\\`, `\xhh`).
struct request {
  std::string_view client;    ///< address or name, visible ASCII
  std::string_view user;      ///< "-": none; may have blanks in it
  weir::instant time = 0;     ///< when it was received, whole seconds
  std::string_view method;    ///< "GET"; empty where the client sent no HTTP, as scanners do
  std::string_view path;      ///< with its query; the whole text where the client sent no HTTP
  std::string_view protocol;  ///< "HTTP/1.1"; empty for HTTP/0.9, which sends none
  std::uint16_t status = 0;   ///< of the answer, 100 to 999
  std::uint64_t bytes = 0;    ///< of the answer without its header; 0 for "-"
  std::string_view referer;   ///< "-": none
  std::string_view agent;     ///< "-": none
  bool cut = false;           ///< the line ends within the agent, the last of its fields: everything else is whole
};

}  // namespace weblog
