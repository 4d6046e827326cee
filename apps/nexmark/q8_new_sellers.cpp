#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <cstdint>
#include <utility>
#include <variant>

namespace nexmark {
namespace {

// The join of people and auctions, as one fold by person over both: it asks only whether there are any.
struct registered_and_sold {
  struct state {
    bool registered, sold;
  };
  void add(state& s, event const& e, weir::instant) const { (std::holds_alternative<person>(e) ? s.registered : s.sold) = true; }
  void merge(state& s, state const& other) const {
    s.registered |= other.registered;
    s.sold |= other.sold;
  }
  bool result(state const& s) const { return s.registered && s.sold; }
};

}  // namespace

weir::task<> q8_new_sellers(weir::stream<event> in, output& out) {
  using namespace std::chrono_literals;
  using result = weir::window_result<std::int64_t, bool>;
  auto both = std::move(in) | weir::filter(is_no_bid) | weir::event_time(time_of_event, weir::monotonic()) | weir::key_by(person_of) |
              weir::tumbling_window(10s, weir::late::drop()) | weir::aggregate(registered_and_sold()) |
              weir::filter([](result const& r) { return r.value; }) |
              weir::for_each([&out](result const& r) { out.add(r.key, r.window.start); });
  co_await both;
}

}  // namespace nexmark
