#pragma once
#include <weir/prometheus_metrics.hpp>
#include <weir/status/asset.hpp>
#include <weir/status/options.hpp>
#include <weir/status/own_page.hpp>
#include <weir/status_service.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace weir::status {

/// Shows how an application is, over HTTP, while it runs:
/// ```cpp
/// weir::application app({.name = "ticks", .status = std::make_shared<weir::status::server>(weir::status::options{.port = 9464})});
/// ```
/// | path | what |
/// |---|---|
/// | `/` | a page to look at, which keeps up: flow and rates, lag, watermarks and checkpoints of each partition, what is wrong and why |
/// | `/healthz` | 200 while nothing is wrong that somebody has to look at, else 503: a partition or a source has halted or stalled |
/// | `/readyz` | 200 when all sources have said what to read and partitions are opened, and while it does not drain; else 503 |
/// | `/metrics` | figures for Prometheus, see `prometheus_metrics` and `weir::metric` |
/// | `/pipeline` | all of it as JSON: pipelines and what they promise, partitions, positions, lag, watermarks, windows, state |
/// | `/events` | the same twice a second, as server-sent events |
/// | `/explain` | the same in sentences: what every partition is at, what holds event time, which windows wait |
///
/// `/healthz` and `/readyz` say what is wrong, or not there yet, a line each. Everything is for reading: methods are GET and HEAD. The
/// figures are those of the last commit or second; what moves meanwhile (a handler that does not return) is seen at once, also while the
/// application's thread is busy. An answer is made at most ten times a second, however many ask.
///
/// It has a thread and an event loop of its own, so that who reads slowly, or sends no end of requests, waits for nobody but himself.
/// It is one application's. Thread-safety: `port` from anywhere.
class server final : public status_service {
public:
  /// Takes the address; answers come as soon as the application runs. Throws `weir::error`: `errc::invalid_option`; when it cannot listen
  /// there, the system's code.
  explicit server(options o = {});
  ~server() override;

  /// The one it has.
  std::uint16_t port() const noexcept;
  /// What `/metrics` shows, and `settings::metrics` is when it is not set. A program adds its own figures here.
  prometheus_metrics& figures() noexcept;
  /// Shows a page of the program's own, or files of one, beside those; before the application runs.
  void add(own_page p);
  void add(std::span<asset const> files);

  weir::metrics* metrics() noexcept override;
  void start(std::shared_ptr<application_status const> of, logger log) override;
  void stop() noexcept override;

private:
  class parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::status
