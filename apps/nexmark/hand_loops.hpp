#pragma once
#include "event.hpp"
#include "output.hpp"

#include <span>
#include <string_view>

namespace nexmark {

/// A query as the loop that one would write for just these events, in memory and without anything around it.
using hand_loop = void (*)(std::span<event const> in, output& out);

/// That of the query of this name (q0, q1, q2, q3, q12, q17), which gives the same rows; null where there is none.
hand_loop hand_loop_of(std::string_view query);

}  // namespace nexmark
