#pragma once
#include <weir/eventhubs/condition.hpp>

#include <string>
#include <string_view>
#include <system_error>

namespace weir::eventhubs::detail {

// What a refusal of "$cbs" or "$management" means.
struct verdict {
  reaction does = reaction::again;
  std::error_code code;
};

// By the status, as of HTTP (0: the request was not even looked at), and the condition, which may be empty.
// Source: "AMQP request/response operations" (Azure documentation).
verdict verdict_on(int status, std::string_view condition) noexcept;
// "status 404, amqp:not-found: no such hub".
std::string text_of_refusal(int status, std::string_view condition, std::string_view description);

}  // namespace weir::eventhubs::detail
