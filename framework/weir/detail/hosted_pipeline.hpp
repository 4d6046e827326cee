#pragma once
#include <weir/assignment.hpp>
#include <weir/detail/delivery.hpp>
#include <weir/detail/failure_handling.hpp>
#include <weir/detail/progress.hpp>
#include <weir/detail/succession.hpp>
#include <weir/failure_policy.hpp>
#include <weir/pipeline_builder.hpp>
#include <weir/settings.hpp>
#include <weir/source.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// One partition of one pipeline while the application runs, whatever its elements are.
class hosted_partition {
public:
  hosted_partition(settings const& s, checkpoint_key key, std::string pipeline, commit_policy commit, std::optional<std::uint64_t> memory,
                   std::vector<middleware> const& chain, failure_policy const& failures,
                   std::vector<std::shared_ptr<pipeline_sink>> const& sinks, std::vector<migration> const& migrations);
  hosted_partition(hosted_partition const&) = delete;
  hosted_partition& operator=(hosted_partition const&) = delete;
  virtual ~hosted_partition() = default;

  // From the stored checkpoint to the end of the data, a drain, or a failure that the policy halts at. Messages are delivered beside it.
  task<> run();
  void stop() noexcept { progress_.stop(); }
  // Somebody else has it: what is under way is to be cancelled, and nothing is committed any more.
  void lose() noexcept { progress_.forfeit(); }
  // Before `run`: by a commit of this version no other worker has it.
  void fenced_at(std::uint64_t version) noexcept { progress_.fenced_at(version); }
  // All its data is done, and that is committed.
  bool finished() const noexcept { return finished_; }
  stream_context const& about() const noexcept { return context_; }
  partition_report& report() noexcept { return report_; }
  // Now and then, for who looks.
  void tell() { progress_.tell(false); }
  progress const& reached() const noexcept { return progress_; }

protected:
  virtual task<> handle() = 0;  // opens the stream after the frontier and runs the handler over it

private:
  partition_report report_;

protected:
  progress progress_;
  stream_context context_;

private:
  task<> attempts();
  task<> run_from(std::size_t layer);
  task<> attempt();

  std::vector<middleware> const& chain_;
  failure_handling failures_;
  context* run_ = nullptr;  // of the whole run: it outlives all attempts
  bool finished_ = false;
};

template <class R> class hosted_partition_of final : public hosted_partition {
public:
  hosted_partition_of(settings const& s, pipeline_builder<R> const& pipeline, std::shared_ptr<source<R>> from, checkpoint_key key)
      : hosted_partition(s, key, pipeline.name(), pipeline.commit().value_or(s.commit), pipeline.memory_budget(), pipeline.chain(),
                         pipeline.failures(), pipeline.sinks(), pipeline.migrations()),
        pipeline_(pipeline),
        source_(std::move(from)),
        partition_(std::move(key.partition)) {
    progress_.ends_at(source_->end_of(partition_));
    progress_.unread_by([this] { return source_->unread(partition_); });
    progress_.follows(succession_by(source_));
  }

private:
  task<> handle() override {
    progress_.sinks().written_by(&co_await current_context());
    stream<R> records = deliver<R>(source_->open(partition_, progress_.resumes_behind()), progress_, pipeline_.text());
    co_await pipeline_.terminal()(std::move(records), context_);
  }

  pipeline_builder<R> const& pipeline_;
  std::shared_ptr<source<R>> source_;
  std::string partition_;
};

// A pipeline and its source, built.
class hosted_pipeline {
public:
  hosted_pipeline() = default;
  hosted_pipeline(hosted_pipeline const&) = delete;
  hosted_pipeline& operator=(hosted_pipeline const&) = delete;
  virtual ~hosted_pipeline() = default;
  virtual std::string const& name() const noexcept = 0;
  virtual std::string_view source_name() const noexcept = 0;
  virtual std::vector<std::shared_ptr<pipeline_sink>> const& sinks() const noexcept = 0;
  virtual checkpoint_key key(settings const& s, std::string partition) const = 0;
  virtual std::unique_ptr<hosted_partition> open(settings const& s, std::string partition) const = 0;
  // Null: what has ended goes on in no other.
  virtual std::shared_ptr<succession const> order() const = 0;
  // What the source has to say of its partitions, and is told of them.
  virtual stream<assignment> assignments(assignment_view& v) const = 0;
  virtual void ended(std::string const& partition, partition_end how) const noexcept = 0;
  virtual task<> attend(assignment_view& v) const = 0;
  virtual void drains() const noexcept = 0;
};

template <class R> class hosted_pipeline_of final : public hosted_pipeline {
public:
  hosted_pipeline_of(std::shared_ptr<source<R>> from, pipeline_builder<R> pipeline)
      : source_(std::move(from)), pipeline_(std::move(pipeline)) {}
  std::string const& name() const noexcept override { return pipeline_.name(); }
  std::string_view source_name() const noexcept override { return source_->name(); }
  std::vector<std::shared_ptr<pipeline_sink>> const& sinks() const noexcept override { return pipeline_.sinks(); }
  checkpoint_key key(settings const& s, std::string partition) const override {
    return checkpoint_key(s.name + "/" + pipeline_.name(), std::string(source_->name()), std::move(partition));
  }
  std::unique_ptr<hosted_partition> open(settings const& s, std::string partition) const override {
    return std::make_unique<hosted_partition_of<R>>(s, pipeline_, source_, key(s, std::move(partition)));
  }
  std::shared_ptr<succession const> order() const override { return succession_by(source_); }
  stream<assignment> assignments(assignment_view& v) const override { return source_->assignments(v); }
  void ended(std::string const& partition, partition_end how) const noexcept override { source_->ended(partition, how); }
  task<> attend(assignment_view& v) const override { return source_->attend(v); }
  void drains() const noexcept override { source_->drains(); }

private:
  std::shared_ptr<source<R>> source_;
  pipeline_builder<R> pipeline_;
};

}  // namespace weir::detail
