#pragma once
#include <weir/checkpoint_store.hpp>

namespace weir::detail {

// What a store throws when it is asked to go back: errc::stale, in the same words everywhere.
[[noreturn]] void throw_stale(checkpoint_key const& key, position const& offered, position const& stored);

}  // namespace weir::detail
