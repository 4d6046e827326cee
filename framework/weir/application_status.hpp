#pragma once
#include <weir/partition_status.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// One pipeline, seen at one moment. A value.
class pipeline_figures {
public:
  std::string name, source;
  std::string guarantee;   ///< what its effects are worth, in a sentence
  bool connected = false;  ///< its source has said what to read
  std::string failure;     ///< why its source says no more what to read; empty: it does, or is over
};

/// A whole application, seen at one moment. A value.
class application_figures {
public:
  std::string name;
  std::chrono::nanoseconds stall_after{};  ///< how long a handler or a commit may take; zero: for ever
  bool draining = false;
  std::vector<pipeline_figures> pipelines;    ///< as they were built
  std::vector<partition_figures> partitions;  ///< those that are read here, and those that have halted

  /// One sentence for each thing that is wrong and needs somebody: what has halted, what is stalled. Empty: healthy.
  std::vector<std::string> complaints() const;
  /// One sentence for each thing that is not there yet: sources that have not said what to read, partitions that are not opened. Empty, and
  /// not draining: ready.
  std::vector<std::string> missing() const;
  bool ready() const { return !draining && missing().empty(); }
  /// All of it for people: each pipeline and partition, what holds event time, and which windows wait.
  std::string text() const;
};

/// Where an application shows how it is: its strands write, other threads look (a `status_service`). Thread-safe.
class application_status {
public:
  explicit application_status(std::string name) : name_(std::move(name)) {}
  application_status(application_status const&) = delete;
  application_status& operator=(application_status const&) = delete;

  /// Of a steady clock: `std::chrono::steady_clock`, in virtual time the context's.
  application_figures look(std::chrono::nanoseconds now) const;

  /// For hosts: a run begins, with these pipelines and no partitions.
  void begin(std::vector<pipeline_figures> pipelines, std::chrono::nanoseconds stall_after);
  void draining();
  void connected(std::string_view pipeline);
  void failed(std::string_view pipeline, std::string why);
  void add(std::shared_ptr<partition_status const> p);
  void remove(partition_status const& p);

private:
  pipeline_figures* find(std::string_view pipeline) noexcept;
  std::string const name_;
  mutable std::mutex lock_;
  std::chrono::nanoseconds stall_after_{};
  bool draining_ = false;
  std::vector<pipeline_figures> pipelines_;
  std::vector<std::shared_ptr<partition_status const>> partitions_;
};

}  // namespace weir
