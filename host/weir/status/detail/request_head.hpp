#pragma once
#include <string>

namespace weir::status::detail {

// What of a request matters.
struct request_head {
  std::string method, target, host, authorization;
};

}  // namespace weir::status::detail
