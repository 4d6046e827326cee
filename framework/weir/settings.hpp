#pragma once
#include <weir/commit_policy.hpp>
#include <weir/log.hpp>
#include <weir/metrics.hpp>
#include <weir/state_store.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace weir {

/// What all pipelines of an application share. An aggregate for `application app{{.name = "ticks"}}`; every field has a default.
struct settings {
  /// The application's name in checkpoints, logs and metrics. Not empty.
  std::string name = "weir";
  /// Where progress is kept. Default: in memory, so that a restart begins at the start. `weir::sqlite::state_store` is the durable
  /// one for a single machine.
  std::shared_ptr<state_store> checkpoints = nullptr;
  /// How often it is written.
  commit_policy commit = {};
  /// How long a drain (SIGTERM, `stop()`) may take before what still runs is cancelled; above zero.
  std::chrono::nanoseconds drain_timeout = std::chrono::seconds(30);
  /// Where messages go. Default: standard error, from `info` on.
  logger log = {};
  /// Where figures go; null: nowhere. Must outlive the application.
  weir::metrics* metrics = nullptr;
};

}  // namespace weir
