#pragma once

#include <weir/chunk.hpp>
#include <weir/mark.hpp>
#include <weir/stream.hpp>

#include <functional>
#include <utility>

namespace command_line {

/// The same stream. `act` is called whenever a checkpoint is about to be made, when all before it has been taken: what was only put into
/// memory on the way is written then, no later than the progress that passes over it. What it throws fails the stream.
template <class T> weir::stream<T> before_checkpoint(weir::stream<T> s, std::function<void()> act) {
  while (weir::chunk<T> c = co_await weir::next_chunk(s)) {
    bool const checkpoint = !c.marks.empty() && c.marks.back().kind == weir::mark_kind::barrier;
    if (!checkpoint) {
      co_yield c;
      continue;
    }
    weir::mark const barrier = c.marks.back();
    c.marks = c.marks.first(c.marks.size() - 1);
    if (c) co_yield c;
    act();
    co_yield barrier;
  }
}

}  // namespace command_line
