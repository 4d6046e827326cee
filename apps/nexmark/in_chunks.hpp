#pragma once
#include "event.hpp"

#include <weir/stream.hpp>

#include <cstddef>
#include <span>

namespace nexmark {

/// Events where they lie, in chunks of `size`, 1 or more: no query changes an element.
weir::stream<event> in_chunks(std::span<event> all, std::size_t size = 256);

}  // namespace nexmark
