#pragma once
#include <weir/state_store.hpp>

#include <cstdint>
#include <vector>

namespace weir::detail {

// Of the commits of a checkpoint, those by which workers took it over and said nothing. What sinks write outside of the store is named by
// the number of its commit without these: whoever takes over after a crash writes the same rows again, and under the same name.
struct fences {
  std::uint64_t count = 0;
  std::uint64_t last = 0;  // its version
};

// Those of a checkpoint, by its entries; `take` takes theirs off. Throws errc::corrupt for what is none.
fences fences_in(std::vector<state_entry> const& entries);
fences take_fences(std::vector<state_entry>& entries);
// A commit of this version is one more.
state_change one_more(fences before, std::uint64_t version);

}  // namespace weir::detail
