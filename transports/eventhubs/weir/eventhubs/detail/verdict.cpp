#include <weir/eventhubs/detail/verdict.hpp>

#include <weir/error.hpp>

namespace weir::eventhubs::detail {

verdict verdict_on(int status, std::string_view condition) noexcept {
  verdict out;
  out.does = condition.empty() ? reaction::again : reaction_to(condition);
  out.code = condition.empty() ? std::error_code(errc::unavailable) : code_of(condition);
  if (status == 401 || status == 403) {
    out.does = reaction::new_token;
    out.code = errc::access_denied;
  } else if (status == 404) {
    out.does = reaction::give_up;
    out.code = errc::not_found;
  } else if (status == 503 && out.does == reaction::again) {
    out.does = reaction::later;
  } else if (status == 400) {
    out.does = reaction::give_up;
    out.code = errc::rejected;
  }
  return out;
}

std::string text_of_refusal(int status, std::string_view condition, std::string_view description) {
  std::string out = status == 0 ? std::string("the request was not taken") : "status " + std::to_string(status);
  if (!condition.empty()) out.append(", ").append(condition);
  if (!description.empty()) out.append(": ").append(description);
  return out;
}

}  // namespace weir::eventhubs::detail
