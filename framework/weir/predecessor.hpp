#pragma once
#include <string>
#include <utility>

namespace weir {

/// A partition that has ended for good, to one that goes on from there. A value.
struct predecessor {
  predecessor(std::string id, bool rest) noexcept : partition(std::move(id)), leaves_rest(rest) {}
  friend bool operator==(predecessor const&, predecessor const&) = default;

  std::string partition;
  /// Of all that go on from it, this is the one that takes over what operators kept for no key in particular: their books. True for one.
  bool leaves_rest;
};

}  // namespace weir
