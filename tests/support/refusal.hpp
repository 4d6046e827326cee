#pragma once
#include <string>
#include <utility>

namespace weir::test {

/// What a service of AWS answers in place of a result; thrown by those that play one.
struct refusal {
  explicit refusal(std::string with_type, std::string with_message = {}, unsigned with_status = 400)
      : type(std::move(with_type)), message(std::move(with_message)), status(with_status) {}
  std::string type, message;
  unsigned status;
};

}  // namespace weir::test
