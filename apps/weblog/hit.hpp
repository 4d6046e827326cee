#pragma once

#include <weir/instant.hpp>

#include <cstdint>
#include <string>

namespace weblog {

/// What is kept of a request while it is counted: a value of its own, however long it waits. Addresses of IPv4 need no allocation.
struct hit {
  std::string client;
  weir::instant time = 0;
  std::uint64_t bytes = 0;
  std::uint16_t status = 0;
};

}  // namespace weblog
