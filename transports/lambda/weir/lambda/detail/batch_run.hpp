#pragma once
#include <weir/detail/hosted_pipeline.hpp>
#include <weir/lambda/detail/lane.hpp>

#include <optional>
#include <string>
#include <utility>

namespace weir::lambda::detail {

// A run of a pipeline over one lane of an invocation.
template <class R> class batch_run final : public weir::detail::hosted_partition {
public:
  // `goes_on`: the checkpoint is for the next invocation to go on from; otherwise the data ends with the lane.
  batch_run(settings const& s, pipeline_builder<R> const& pipeline, checkpoint_key key, lane<R> const& records,
            stream_context::metadata_map notes, bool goes_on)
      : hosted_partition(s, std::move(key), pipeline.name(), pipeline.commit().value_or(s.commit), pipeline.memory_budget(),
                         pipeline.chain(), pipeline.failures(), pipeline.sinks(), pipeline.migrations()),
        pipeline_(pipeline),
        records_(records) {
    context_.metadata() = std::move(notes);
    if (goes_on) progress_.goes_on();
  }

  // Commits what is done.
  task<> save() { return progress_.commit(); }

private:
  task<> handle() override {
    if (context_.attempt() == 1) note_left_out();
    progress_.sinks().written_by(&co_await current_context());
    stream<R> records = weir::detail::deliver<R>(records_.open(progress_.frontier()), progress_, pipeline_.text());
    co_await pipeline_.terminal()(std::move(records), context_);
  }

  // What a checkpoint has as done, and comes all the same.
  void note_left_out() const {
    if (!progress_.frontier()) return;
    batch_response all, open;
    records_.report(all, std::nullopt);
    records_.report(open, progress_.frontier());
    if (all.json() == open.json()) return;
    context_.log().warning("lambda: records are left out (pipeline " + std::string(context_.pipeline()) + ", partition " +
                           std::string(context_.partition()) + "): the checkpoint has all up to " + progress_.frontier()->text() +
                           " as done, so the answer to them was lost; unless the mapping has a ParallelizationFactor above 1, which "
                           "goes with no checkpoints: records are lost then");
  }

  pipeline_builder<R> const& pipeline_;
  lane<R> const& records_;
};

}  // namespace weir::lambda::detail
