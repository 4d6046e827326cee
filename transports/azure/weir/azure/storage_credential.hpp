#pragma once
#include <weir/azure/shared_key.hpp>
#include <weir/task.hpp>

#include <functional>
#include <string>
#include <variant>

namespace weir::azure {

/// A shared access signature, which stands in the query of each request: "sv=...&sig=...", with a '?' before it or without. A value.
struct shared_access_signature {
  explicit shared_access_signature(std::string as_text) noexcept : text(std::move(as_text)) {}
  std::string text;
};

/// Gives a token of Microsoft Entra ID for "https://storage.azure.com/". Asked before each try, on the strand of who calls, so that it
/// should keep one until shortly before it expires. What it throws is thrown to who calls.
using bearer_source = std::function<task<std::string>()>;

/// Who asks; `std::monostate`: nobody in particular, or whoever the URL says.
using storage_credential = std::variant<std::monostate, shared_key, shared_access_signature, bearer_source>;

}  // namespace weir::azure
