#include "in_chunks.hpp"

#include <algorithm>

namespace nexmark {

weir::stream<event> in_chunks(std::span<event> all, std::size_t size) {
  for (std::size_t i = 0; i < all.size(); i += size) co_yield all.subspan(i, std::min(size, all.size() - i));
}

}  // namespace nexmark
