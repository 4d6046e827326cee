#pragma once
#include <weir/eventhubs/condition.hpp>

#include <chrono>
#include <cstdint>

namespace weir::eventhubs::detail {

inline constexpr std::chrono::seconds longest_pause{30};

// How long to wait after so many failures in a row, >= 1: from 0.2 s, twice as long each time, blurred, since many are lost together. After
// `reaction::later` no less than `least_pause`. `random`: uniform bits.
std::chrono::nanoseconds pause_after(unsigned failures, reaction does, std::uint64_t random);

}  // namespace weir::eventhubs::detail
