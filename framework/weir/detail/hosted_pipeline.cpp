#include <weir/detail/hosted_pipeline.hpp>
#include <weir/detail/joined.hpp>

namespace weir::detail {

hosted_partition::hosted_partition(settings const& s, checkpoint_key key, std::string pipeline, commit_policy commit,
                                   std::optional<std::uint64_t> memory, std::vector<middleware> const& chain,
                                   failure_policy const& failures, std::vector<std::shared_ptr<pipeline_sink>> const& sinks,
                                   std::vector<migration> const& migrations)
    : report_(pipeline, key.stream, key.partition),
      progress_(report_, *s.checkpoints, std::move(key), commit, memory, sinks, migrations),
      context_(std::move(pipeline), progress_.key().stream, progress_.key().partition, checkpointer(progress_), progress_.sinks()),
      chain_(chain),
      failures_(failures, progress_, context_) {}

task<> hosted_partition::run() {
  run_ = &co_await current_context();
  context_.enter(*run_);
  run_->memory(&progress_.memory());
  report_.begin(*run_);
  co_await progress_.load();
  if (progress_.at_its_end()) {
    finished_ = true;
    co_return;
  }
  failures_.count();
  task<> all = attempts();
  task<> with_messages = progress_.messages().deliver_beside(std::move(all));
  co_await std::move(with_messages);
}

task<> hosted_partition::attempts() {
  for (;;) {
    std::exception_ptr failure;
    bool over = false;
    try {
      co_await run_from(0);
      co_await progress_.commit();
      over = !failures_.goes_on();
      if (over) {
        co_await progress_.messages().all_delivered();
        co_await progress_.commit();
        co_await progress_.finish();
        finished_ = progress_.data_done();
      }
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) co_await failures_.after(std::move(failure));
    else if (over) co_return;
  }
}

task<> hosted_partition::run_from(std::size_t layer) {
  if (layer == chain_.size()) return attempt();
  return chain_[layer](context_, [this, layer] { return run_from(layer + 1); });
}

task<> hosted_partition::attempt() {
  context& own = co_await current_context();
  context_.begin_attempt(own);
  co_await progress_.begin(*run_);
  failures_.count();
  std::exception_ptr failure;
  try {
    co_await joined(handle());  // what the handler left behind may still have the stream
  } catch (...) {
    failure = std::current_exception();
  }
  progress_.sinks().written_by(nullptr);
  progress_.end(!failure);
  context_.enter(*run_);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weir::detail
