#pragma once
#include <concepts>
#include <functional>
#include <string>
#include <string_view>

namespace weir {

/// What a dead letter has of an element unless it is told: the payload of a record, a text as it is, a whole number in digits. Empty for
/// other elements: there the pipeline has to say.
template <class R> std::function<std::string(R const&)> default_payload_text() {
  if constexpr (requires(R const& r) {
                  { r.payload() } -> std::convertible_to<std::string_view>;
                }) {
    return [](R const& r) { return std::string(std::string_view(r.payload())); };
  } else if constexpr (std::convertible_to<R const&, std::string_view>) {
    return [](R const& r) { return std::string(std::string_view(r)); };
  } else if constexpr (std::integral<R>) {
    return [](R const& r) { return std::to_string(r); };
  } else {
    return {};
  }
}

}  // namespace weir
