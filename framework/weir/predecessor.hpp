#pragma once
#include <string>
#include <utility>

namespace weir {

/// A partition that has ended for good, to one that goes on from there. A value.
struct predecessor {
  predecessor(std::string id, bool rest, bool no_more = false) noexcept : partition(std::move(id)), leaves_rest(rest), is_gone(no_more) {}
  friend bool operator==(predecessor const&, predecessor const&) = default;

  std::string partition;
  /// Of all that go on from it, this is the one that takes over what operators kept for no key in particular: their books. True for one.
  bool leaves_rest;
  /// The source does not have it any more: what was not read of it cannot be.
  bool is_gone;
};

}  // namespace weir
