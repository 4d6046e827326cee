#pragma once
#include <weir/azure/storage_credential.hpp>
#include <weir/net/http_options.hpp>
#include <weir/retry_policy.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace weir::azure {

/// Where a container is, and how it is called.
struct blob_container_options {
  /// By the connection string of a storage account:
  /// "DefaultEndpointsProtocol=https;AccountName=...;AccountKey=...;EndpointSuffix=core.windows.net", or with BlobEndpoint and
  /// SharedAccessSignature, or "UseDevelopmentStorage=true" for azurite on this machine. Throws `errc::invalid_option`, which says what is
  /// missing or not known, and never shows a key or a signature.
  /// Source: "Configure Azure Storage connection strings" (Azure documentation).
  static blob_container_options from_connection_string(std::string_view text, std::string_view container);

  /// "https://account.blob.core.windows.net/container"; a signature may stand behind it, "?sv=...&sig=...".
  std::string url = {};
  storage_credential by = {};
  /// How often, and how late, a call is made again that failed for a while (`condition::retryable`). A write whose answer was lost may have
  /// been done, so that a condition may not hold because of the write itself. A delay that the service asks for (Retry-After) lengthens it,
  /// by 5 s at most.
  retry_policy retry = retry_policy().attempts(4).first_delay(std::chrono::milliseconds(500));
  net::http_options http = {};
};

}  // namespace weir::azure
