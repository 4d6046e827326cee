#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/filter.hpp>
#include <weir/operators/for_each.hpp>

#include <utility>

namespace nexmark {
weir::task<> q2_selection(weir::stream<event> in, output& out) {
  auto selected = bids(std::move(in)) | weir::filter([](bid const& b) { return b.auction % 123 == 0; }) |
                  weir::for_each([&out](bid const& b) { out.add(b.auction, b.price); });
  co_await selected;
}

}  // namespace nexmark
