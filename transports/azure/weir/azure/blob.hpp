#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weir::azure {

/// What is said of a blob beside its bytes. Names are identifiers in lower case (the service compares them without regard to case), values
/// visible ASCII and spaces; 8 KiB in all.
using blob_metadata = std::map<std::string, std::string>;

/// A blob, without its bytes. A value.
struct blob {
  blob() = default;

  std::string name;      ///< within its container: "ns.servicebus.windows.net/ticks/$default/ownership/0"
  std::string etag;      ///< as headers have it, with quotation marks: "\"0x8DC5B2F6A7E3C10\""; another after each change
  instant modified = 0;  ///< when that was, by the service's clock, to the second
  blob_metadata metadata;
};

/// A part of a list. A value.
struct blob_page {
  blob_page() = default;

  std::vector<blob> blobs;  ///< ordered by name
  std::string next;         ///< where the next part begins; empty: this is the last one
  instant asked = 0;        ///< when the service answered, by its own clock, to the second
};

/// When a write is to be done. A value.
class blob_condition {
public:
  /// Always.
  blob_condition() noexcept = default;
  /// Where there is no such blob (If-None-Match: *).
  static blob_condition absent() noexcept { return blob_condition("If-None-Match", "*"); }
  /// Where nobody has changed it since it had that tag (If-Match).
  static blob_condition unchanged(std::string etag) noexcept { return blob_condition("If-Match", std::move(etag)); }

  std::string const& header() const noexcept { return header_; }  ///< empty: none
  std::string const& value() const noexcept { return value_; }

private:
  blob_condition(std::string header, std::string value) noexcept : header_(std::move(header)), value_(std::move(value)) {}
  std::string header_, value_;
};

/// What has become of a write. A value.
struct blob_write {
  enum class result : std::uint8_t {
    done,
    changed,  ///< its condition did not hold: somebody has made or changed the blob
    absent,   ///< there is no such blob
  };
  blob_write() = default;

  result is = result::done;
  std::string etag;      ///< done: the blob's
  instant modified = 0;  ///< done: the blob's
};

}  // namespace weir::azure
