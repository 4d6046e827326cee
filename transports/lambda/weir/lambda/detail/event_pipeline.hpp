#pragma once
#include <weir/detail/pipeline_sink.hpp>
#include <weir/lambda/detail/batch_run.hpp>
#include <weir/lambda/detail/event_rules.hpp>
#include <weir/lambda/detail/invocation_run.hpp>
#include <weir/lambda/detail/lane.hpp>
#include <weir/pipeline_builder.hpp>
#include <weir/settings.hpp>
#include <weir/task.hpp>
#include <weir/when_all.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::lambda::detail {

// What happens to events of one kind.
class event_pipeline {
public:
  event_pipeline(event_source of, event_rules r) : kind_(of), rules_(std::move(r)) {}
  event_pipeline(event_pipeline const&) = delete;
  event_pipeline& operator=(event_pipeline const&) = delete;
  virtual ~event_pipeline() = default;

  event_source kind() const noexcept { return kind_; }
  event_rules const& rules() const noexcept { return rules_; }
  virtual std::string const& name() const noexcept = 0;
  virtual bool has_handler() const noexcept = 0;
  virtual commit_policy commit(settings const& s) const = 0;
  virtual std::vector<std::shared_ptr<weir::detail::pipeline_sink>> const& sinks() const noexcept = 0;
  // Whose checkpoint a part of an event goes on from.
  checkpoint_key key(settings const& s, event const& e, std::string partition) const {
    return checkpoint_key(s.name + "/" + name(), stream_name(kind_, e.source_arn()), std::move(partition));
  }
  // Over all its records, as far as the time allows. What is not done is in the answer. Throws errc::malformed where that cannot be said.
  virtual task<> run(invocation_run& in) const = 0;

private:
  event_source kind_;
  event_rules rules_;
};

template <class R> class event_pipeline_of final : public event_pipeline {
public:
  event_pipeline_of(event_source of, event_rules r, pipeline_builder<R> pipeline)
      : event_pipeline(of, std::move(r)), pipeline_(std::move(pipeline)) {}
  std::string const& name() const noexcept override { return pipeline_.name(); }
  bool has_handler() const noexcept override { return static_cast<bool>(pipeline_.terminal()); }
  commit_policy commit(settings const& s) const override { return pipeline_.commit().value_or(s.commit); }
  std::vector<std::shared_ptr<weir::detail::pipeline_sink>> const& sinks() const noexcept override { return pipeline_.sinks(); }

  task<> run(invocation_run& in) const override {
    std::vector<part> parts;
    for (lane<R>& l : lanes_of<R>(in.what())) parts.emplace_back(std::move(l));
    std::size_t next = 0;
    std::vector<task<>> beside;
    for (std::size_t i = 0; i != std::min(rules().most_concurrent, parts.size()); ++i) beside.push_back(run_some(in, parts, next));
    task<> all = when_all(std::move(beside));
    co_await std::move(all);
    for (part const& p : parts) {
      std::size_t const before = in.answer().failures();
      p.of.report(in.answer(), p.done);
      if (!p.well && in.answer().failures() == before) p.of.report(in.answer(), std::nullopt);
    }
  }

private:
  struct part {
    explicit part(lane<R> l) : of(std::move(l)) {}
    lane<R> of;
    std::optional<position> done;
    bool well = true;
  };

  task<> run_some(invocation_run& in, std::vector<part>& parts, std::size_t& next) const {
    while (next != parts.size()) {
      part& mine = parts[next++];
      if (in.stopping()) continue;
      batch_run<R> running(in.with(), pipeline_, key(in.with(), in.what(), mine.of.partition), mine.of, in.notes(), in.goes_on());
      std::function<task<>()> save = [&running] { return running.save(); };
      task<bool> all = in.run(running, std::move(save));
      mine.well = co_await std::move(all);
      mine.done = running.reached().committed();
      batch_response open;
      if (mine.well) mine.of.report(open, mine.done);
      if (open.failures() != 0) in.held_back(running);
    }
  }

  pipeline_builder<R> pipeline_;
};

}  // namespace weir::lambda::detail
