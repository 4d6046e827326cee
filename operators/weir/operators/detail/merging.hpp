#pragma once
#include <weir/explanation.hpp>
#include <weir/operators/detail/merged_time.hpp>
#include <weir/operators/detail/offers.hpp>
#include <weir/stream.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

template <class T> class merging final : public offers<T>, public explainer {
public:
  merging(context& caller, merge_kind kind, std::size_t inputs) : offers<T>(caller), time(kind, inputs, caller.clock()), sources_(inputs) {}

  // An input's feeder has its stream; its data has ended, and what it knew is kept; the stream is about to go.
  void opened(std::size_t input, stream<T> const& in) noexcept { sources_[input].open = &in; }
  void ended(std::size_t input) {
    sources_[input].last = sources_[input].open->explain();
    time.ended(input);
  }
  void closed(std::size_t input) noexcept { sources_[input].open = nullptr; }
  void explain(explanation& e) const override {
    for (std::size_t i = 0; i != sources_.size(); ++i) {
      input_source const& source = sources_[i];
      time.explain(i, source.open ? source.open->explain() : source.last, e);
    }
  }

  merged_time time;

private:
  struct input_source {
    stream<T> const* open = nullptr;
    explanation last;
  };
  bool something_ready() const noexcept override { return this->offered() || time.due(); }

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
          s->time.waits(input, !c.elements.empty());
          co_await s->offering(c, input);
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
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, kind, inputs.size())));
  co_await explained_by<T>(*s.share());
  for (std::size_t i = 0; i != inputs.size(); ++i) s->start(feed_merge<T>(std::move(inputs[i]), i, s.share()), s->all());
  inputs.clear();
  offer<T> next;
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    if (s->take(next)) {
      chunk<T>& c = next.elements;
      c.marks = s->time.hand_on(next.input, c.elements.size(), c.marks);
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
