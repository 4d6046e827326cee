#include "bar_pipeline.hpp"

#include <weir/from.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/partition_by.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ticks {
namespace {

constexpr std::chrono::seconds oldest_batch(1);
constexpr std::size_t look_ahead = 12;  // ticks of a symbol are far apart in a batch: fetch them before they are folded

// The ticks of one symbol, in their order.
void fold_group(symbol const& name, std::span<tick const* const> group, bar_keeper& keeper) {
  symbol_bars& bars = keeper.of(name);
  std::uint64_t applied = 0;
  for (std::size_t i = 0; i != group.size(); ++i) {
    tick const* const soon = group[std::min(i + look_ahead, group.size() - 1)];
    __builtin_prefetch(soon);
    __builtin_prefetch(reinterpret_cast<char const*>(soon + 1) - 1);
    applied += bars.fold(*group[i]) ? 1 : 0;
  }
  keeper.count(applied, group.size() - applied);
}

// Groups hold pointers: a tick is larger than a cache line, and stays where it is.
weir::task<> fold_batch(std::span<tick const> batch, bar_keeper& keeper) {
  std::vector<tick const*> all;
  all.reserve(batch.size());
  for (tick const& t : batch) all.push_back(&t);
  auto groups = weir::from(std::span<tick const*>(all)) | weir::partition_by([](tick const* t) -> symbol const& { return t->name; });
  while (auto* const group = co_await groups.next()) fold_group(group->key, group->values, keeper);
}

// The same stream, except that it always seems to end with its data: the batch that is open is then full, and is stored. What ended
// it in truth, a failure, is left in `failure`; shared, as a stream that is dropped half-way may end after its consumer.
weir::stream<tick> to_the_last(weir::stream<tick> ticks, std::shared_ptr<std::exception_ptr> failure) {
  try {
    while (weir::chunk<tick> c = co_await weir::next_chunk(ticks)) {
      while (!c.marks.empty() && c.marks.back().kind == weir::mark_kind::stop) c.marks = c.marks.first(c.marks.size() - 1);
      co_yield c;
    }
  } catch (...) {
    *failure = std::current_exception();
  }
}

}  // namespace

weir::task<> make_bars(weir::stream<tick> ticks, bar_run& run) {
  auto const failure = std::make_shared<std::exception_ptr>();
  auto batches = to_the_last(std::move(ticks), failure) | weir::batch(weir::batch_options().count(run.batch).time(oldest_batch));
  while (auto* const batch = co_await batches.next()) {
    co_await fold_batch(*batch, run.keeper);
    if (run.before_store) run.before_store();
    run.keeper.commit();
    run.records += batch->size();
    run.event_time = batch->back().time();
    run.at = batch->back().position();
    if (run.after_batch) run.after_batch();
  }
  if (*failure) std::rethrow_exception(*failure);
}

}  // namespace ticks
