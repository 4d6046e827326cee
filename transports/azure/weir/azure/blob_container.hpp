#pragma once
#include <weir/azure/blob.hpp>
#include <weir/azure/blob_container_options.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::azure {

/// A container of Blob storage: the calls that sharing work by its blobs takes.
/// ```cpp
/// azure::blob_container const blobs(azure::blob_container_options::from_connection_string(text, "checkpoints"));
/// azure::blob_write const written = co_await blobs.put("who", {{"ownerid", "w1"}}, azure::blob_condition::absent());
/// ```
/// Conditions that do not hold, and blobs that do not exist, are answers. Errors: `errc::access_denied` (a wrong key, an expired signature,
/// a missing role, a clock that is off), `not_found`: no such container, `throttled`, `unavailable`, `rejected` with what the service says;
/// `malformed` for an answer that cannot be read; `invalid_option` for metadata that cannot be sent; those of `net::http_client` and the
/// source of tokens. Each says operation, container, blob, request id and number of tries, and shows no key or signature. What is retryable
/// was tried again as the options say.
///
/// A copy is the same container. Thread-safety: as `net::http_client`: from any strand.
/// Source: Blob service REST API, version 2021-12-02.
class blob_container {
public:
  /// Throws `errc::invalid_option` for a URL that names no container, or has a signature beside another credential; and as
  /// `net::http_client`.
  explicit blob_container(blob_container_options options);

  /// Makes a block blob, or replaces one: Put Blob.
  task<blob_write> put(std::string name, blob_metadata about, blob_condition when = {}, std::string bytes = {}) const;
  /// Replaces all of a blob's metadata: Set Blob Metadata.
  task<blob_write> set_metadata(std::string name, blob_metadata about, blob_condition when = {}) const;
  /// Null: there is none. Get Blob Properties.
  task<std::optional<blob>> properties(std::string name) const;
  /// Blobs whose names begin so, from a `next` of before on, up to 5000: List Blobs.
  task<blob_page> list(std::string prefix, std::string from = {}) const;
  /// Delete Blob.
  task<blob_write> erase(std::string name, blob_condition when = {}) const;

  /// Where it is, for messages, without a signature.
  std::string const& url() const noexcept;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::azure
