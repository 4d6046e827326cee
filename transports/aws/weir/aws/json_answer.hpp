#pragma once
#include <weir/aws/service_error.hpp>

#include <optional>
#include <string>
#include <utility>

namespace weir::aws {

/// What a service has answered: a result, or that it refuses to give one. A value.
struct json_answer {
  json_answer() = default;
  explicit json_answer(std::string with_body, std::optional<service_error> because = {}) noexcept
      : body(std::move(with_body)), refusal(std::move(because)) {}

  std::string body;                      ///< JSON, of a refusal too: it may say more than its code and message
  std::optional<service_error> refusal;  ///< null: it is a result
};

}  // namespace weir::aws
