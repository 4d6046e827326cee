#pragma once
#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/shared_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weir::lambda::detail {

constexpr std::size_t most_of_chunk = 256;

// Reads the records from `next` on up to a chunk of them, up to `end`, and up to one that cannot be read: that is refused when it is the
// first. `size(i)`: of the values of record `i`; `read(i, values, record)`: null, or what is wrong with it; `want(record)`: whether it is
// one of the chunk.
template <class Record, class Size, class Read, class Want>
void read_chunk(event_index const& e, std::size_t& next, std::size_t end, std::vector<Record>& into, Size size, Read read, Want want) {
  into.clear();
  std::size_t const stop = std::min(end, next + most_of_chunk);
  std::size_t bytes = 0;
  for (std::size_t i = next; i != stop; ++i) bytes += size(i);
  value_block values(bytes);
  for (; next != stop; ++next) {
    Record& r = into.emplace_back();
    char const* const fault = read(next, values, r);
    if (fault == nullptr) {
      if (!want(r)) into.pop_back();
      continue;
    }
    into.pop_back();
    if (into.empty()) refuse_record(e, next, fault);
    break;
  }
}

}  // namespace weir::lambda::detail
