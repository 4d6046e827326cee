#pragma once
#include <weir/detail/partition_topic.hpp>
#include <weir/detail/pipeline_sink.hpp>
#include <weir/detail/topic_options.hpp>
#include <weir/guarantee.hpp>
#include <weir/topic.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace weir::detail {

// A topic as a pipeline has declared it: like a sink, whose rows go into the checkpoint itself.
class pipeline_topic : public pipeline_sink {
public:
  pipeline_topic(std::string name, topic_options const& how)
      : pipeline_sink(std::move(name), how.sender->kind(), guarantee::at_least_once), options_(how) {}
  topic_options const& options() const noexcept { return options_; }
  state_store const* store() const noexcept override { return nullptr; }
  bool resumes() const noexcept override { return false; }
  task<> resume(checkpoint_key, std::uint64_t, std::uint64_t) override { co_return; }

private:
  topic_options options_;
};

template <class T> class declared_topic final : public pipeline_topic {
public:
  declared_topic(std::string name, topic<T> const& t) : pipeline_topic(std::move(name), t.options()), payload_of_(t.payload_of()) {}
  std::unique_ptr<partition_sink> open(progress& p) override { return std::make_unique<partition_topic_of<T>>(p, name(), payload_of_); }

private:
  std::function<std::string(T const&)> payload_of_;
};

}  // namespace weir::detail
