#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace nexmark {
namespace {

struct local_item {
  person who;
  std::int64_t auction;
};

// An inner join without end: a person is kept, and auctions until their seller is known.
struct sellers_of_three_states {
  using output = local_item;
  struct state {
    std::int64_t known, wanted;
    person who;
    std::vector<std::int64_t> waiting;
  };
  using context = weir::process_context<std::int64_t, local_item>;
  void element(event const& e, state& s, context& c) const {
    if (auto const* a = std::get_if<auction>(&e)) {
      if (!s.known) s.waiting.push_back(a->id);
      else if (s.wanted) c.emit({s.who, a->id});
      return;
    }
    s.who = *std::get_if<person>(&e);
    s.known = 1;
    s.wanted = s.who.state == oregon || s.who.state == idaho || s.who.state == california;
    if (s.wanted)
      for (std::int64_t const id : s.waiting) c.emit({s.who, id});
    s.waiting = {};
  }
};

bool of_a_person_or_category_10(event const& e) {
  if (auto const* a = std::get_if<auction>(&e)) return a->category == 10;
  return std::holds_alternative<person>(e);
}

}  // namespace

weir::task<> q3_local_items(weir::stream<event> in, output& out) {
  auto items = std::move(in) | weir::filter([](event const& e) { return of_a_person_or_category_10(e); }) |
               weir::event_time(time_of_event, weir::monotonic()) | weir::key_by(person_of) |
               weir::process(sellers_of_three_states(), weir::never_expires()) |
               weir::for_each([&out](local_item const& i) { out.add(i.who.id, i.who.city, i.who.state, i.auction); });
  co_await items;
}

}  // namespace nexmark
