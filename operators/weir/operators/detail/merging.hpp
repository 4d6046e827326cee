#pragma once
#include <weir/detail/lineage.hpp>
#include <weir/explanation.hpp>
#include <weir/operators/detail/barrier_alignment.hpp>
#include <weir/operators/detail/chunk_slice.hpp>
#include <weir/operators/detail/merged_time.hpp>
#include <weir/operators/detail/offers.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

template <class T> class merging final : public offers<T>, public explainer {
public:
  merging(context& caller, merge_kind kind, std::vector<stream<T>> const& inputs)
      : offers<T>(caller), time(kind, inputs.size(), caller.clock()), branches(lineages_of(inputs)), sources_(inputs.size()) {}

  // An input's feeder has its stream; its data has ended, and what it knew is kept; the stream is about to go.
  void opened(std::size_t input, stream<T> const& in) noexcept { sources_[input].open = &in; }
  void ended(std::size_t input) {
    sources_[input].last = sources_[input].open->explain();
    time.ended(input);
    branches.ended(input);
  }
  void closed(std::size_t input) noexcept { sources_[input].open = nullptr; }
  void explain(explanation& e) const override {
    for (std::size_t i = 0; i != sources_.size(); ++i) {
      input_source const& source = sources_[i];
      time.explain(i, source.open ? source.open->explain() : source.last, e);
    }
  }

  // What can be handed on before the input waits for others.
  chunk<T> up_to_meeting(std::size_t input, chunk_slices<T>& rest) const {
    return rest.take_through([this, input](mark const& m) { return branches.meets(input, m); });
  }
  // What goes with its elements. The mark that others come to as well stays here.
  std::span<mark const> hand_on(offer<T> const& next) {
    std::vector<mark>& marks = time.hand_on(next.input, next.elements.elements.size(), next.elements.marks);
    auto const meets = [this, &next](mark const& m) { return branches.meets(next.input, m); };
    auto const here = std::find_if(marks.begin(), marks.end(), meets);
    if (here == marks.end()) return marks;
    branches.arrived(next.input, *here);
    marks.erase(here);
    return marks;
  }
  // Until what the input has come to has passed. Throws `errc::cancelled`.
  parking_place::parked others(std::size_t input) noexcept { return sources_[input].place.park(); }
  void go_on(std::vector<std::size_t> const& inputs) {
    for (std::size_t const i : inputs) sources_[i].place.wake();
  }

  merged_time time;
  barrier_alignment branches;

private:
  struct input_source {
    stream<T> const* open = nullptr;
    explanation last;
    parking_place place;
  };
  static std::vector<lineage> lineages_of(std::vector<stream<T>> const& inputs) {
    std::vector<lineage> all(inputs.size());
    for (std::size_t i = 0; i != inputs.size(); ++i) inputs[i].add_lineage(all[i]);
    return all;
  }
  bool something_ready() const noexcept override { return this->offered() || time.due() || branches.complete(); }

  std::vector<input_source> sources_;
};

template <class T> root feed_merge(stream<T> source, std::size_t input, strand_ptr<merging<T>> s) {
  {
    stream<T> in = std::move(source);
    s->opened(input, in);
    try {
      s->time.asked(input);
      while (chunk<T> c = co_await next_chunk(in)) {
        if (c.elements.empty() && merged_time::about_time(c.marks)) {
          s->time.take_in(input, c.marks);
          s->wake_emitter();
        } else {
          chunk_slices<T> rest(c);
          while (!rest.over()) {
            chunk<T> const part = s->up_to_meeting(input, rest);
            s->time.waits(input, !part.elements.empty());
            co_await s->offering(part, input);
            while (s->branches.waits(input)) co_await s->others(input);
          }
          s->time.asked(input);
        }
      }
      s->ended(input);
    } catch (...) {
      s->failed(std::current_exception());
    }
    s->closed(input);
  }
  s->leave();
}

template <class T> stream<T> emit_merged(std::vector<stream<T>> inputs, merge_kind kind) {
  using shared = merging<T>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, kind, inputs)));
  co_await explained_by<T>(*s.share());
  for (std::size_t i = 0; i != inputs.size(); ++i) s->start(feed_merge<T>(std::move(inputs[i]), i, s.share()), s->all());
  inputs.clear();
  offer<T> next;
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    if (s->branches.complete()) {
      barrier_alignment::meeting const met = s->branches.take();
      co_yield met.passes;
      s->go_on(met.inputs);
    } else if (s->take(next)) {
      chunk<T>& c = next.elements;
      c.marks = s->hand_on(next);
      if (c) co_yield c;
      s->done();
    } else {
      chunk<T> const marks_alone({}, nullptr, s->time.settle());
      if (!marks_alone) break;
      co_yield marks_alone;
    }
  }
  if (s->failure) std::rethrow_exception(s->failure);
  if (s->time.stopped()) co_yield mark::stop();
}

}  // namespace weir::detail
