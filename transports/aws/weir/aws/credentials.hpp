#pragma once
#include <weir/instant.hpp>

#include <optional>
#include <string>
#include <utility>

namespace weir::aws {

/// Who signs requests. A value.
struct credentials {
  credentials() = default;
  credentials(std::string id, std::string secret, std::string token = {}, std::optional<instant> until = {}) noexcept
      : access_key_id(std::move(id)), secret_access_key(std::move(secret)), session_token(std::move(token)), expires(until) {}
  friend bool operator==(credentials const&, credentials const&) = default;

  std::string access_key_id;       ///< may be shown
  std::string secret_access_key;   ///< may not
  std::string session_token;       ///< of credentials that are lent for a while; empty: none
  std::optional<instant> expires;  ///< when they are of no use any more; null: they have no end, or it is not known
};

}  // namespace weir::aws
