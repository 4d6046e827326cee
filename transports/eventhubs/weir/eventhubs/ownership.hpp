#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::eventhubs {

/// Who works on a partition, as a blob says it that all consumers of a group share. A value.
struct ownership {
  ownership() = default;
  friend bool operator==(ownership const&, ownership const&) = default;

  std::string partition;
  std::string owner;     ///< empty: nobody; it was given back
  std::string etag;      ///< another after each write; empty: there is no blob
  instant modified = 0;  ///< when it was last written, by the service's clock, to the second; 0: not known
};

/// All of a group. A value.
struct ownership_list {
  ownership_list() = default;

  std::vector<ownership> all;
  instant asked = 0;  ///< when the service answered, by the same clock; 0: not known
};

/// One conditional write: done only where nobody has written since `before` was seen.
enum class ownership_write_kind : std::uint8_t {
  claim,      ///< becomes the owner, whoever was it before; makes the blob where there is none
  renew,      ///< changes nothing but the tag, by which others see that the owner is alive
  give_back,  ///< nobody is the owner
};

/// A write: what it builds on and what it makes of it. A value.
struct ownership_write {
  ownership_write(ownership_write_kind k, ownership b, std::string w) noexcept : what(k), before(std::move(b)), worker(std::move(w)) {}

  ownership_write_kind what;
  ownership before;
  std::string worker;  ///< who writes

  std::string owner() const { return what == ownership_write_kind::give_back ? std::string() : worker; }
};

}  // namespace weir::eventhubs
