#pragma once
#include <weir/instant.hpp>
#include <weir/net/request.hpp>

#include <string>
#include <string_view>

namespace weir::azure {

/// One of the two keys of a storage account. A value.
struct shared_key {
  /// `key`: as the portal shows it, base64. Throws `errc::invalid_option`, which never shows it, for one that is none, or without an
  /// account.
  shared_key(std::string of_account, std::string_view key);

  std::string account;
  std::string secret;  ///< its bytes
};

/// Signs a request to Blob storage as it will be sent (Shared Key, of version 2015-02-21 and later): sets x-ms-date and Authorization.
/// Signed are method, path, query, the length of the body, the conditions, and all headers that begin with x-ms-. A signed request is good
/// for 15 minutes around `when`, so a retry is signed anew: what was signed before is replaced. Headers must not change afterwards.
///
/// Throws `errc::invalid_option` for a URL that is none. Pure.
/// Source: "Authorize with Shared Key" (Azure Storage REST API).
void sign(net::request& r, shared_key const& by, instant when);

}  // namespace weir::azure
