#pragma once
#include <weir/commit_policy.hpp>
#include <weir/log.hpp>
#include <weir/metrics.hpp>
#include <weir/state_store.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace weir {

class status_service;

/// What all pipelines of an application share. An aggregate for `application app{{.name = "ticks"}}`; every field has a default.
struct settings {
  /// The application's name in checkpoints, logs and metrics. Not empty.
  std::string name = "weir";
  /// Where progress is kept. Default: in memory, so that a restart begins at the start. `weir::sqlite::state_store` is the durable
  /// one for a single machine.
  std::shared_ptr<state_store> checkpoints = nullptr;
  /// How often it is written.
  commit_policy commit = {};
  /// How long a drain (SIGTERM, `stop()`) may take before what still runs is cancelled, and is named in the log; above zero.
  std::chrono::nanoseconds drain_timeout = std::chrono::seconds(30);
  /// Where messages go. Default: standard error, from `info` on.
  logger log = {};
  /// Where figures go; null: nowhere. Must outlive the application.
  weir::metrics* metrics = nullptr;
  /// Shows how the application is while it runs: over HTTP with `std::make_shared<weir::status::server>()`.
  /// Has metrics of its own, where `metrics` is null.
  std::shared_ptr<status_service> status = nullptr;
  /// How long a handler may have what it was given, or a commit be under way, before the partition counts as stalled: a warning says so,
  /// `status` shows it, and another message says when it goes on. Zero: for ever. Default: a minute with `application::run`; with `serve`,
  /// whose clock may be a virtual one, nobody looks unless it is set.
  std::optional<std::chrono::nanoseconds> stall_after = std::nullopt;
  /// How long what was cancelled may take to end, at the end of a drain, before `application::run` gives it up and returns; above zero.
  std::chrono::nanoseconds cancel_timeout = std::chrono::seconds(5);
};

}  // namespace weir
