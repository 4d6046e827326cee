#pragma once
#include <weir/clock.hpp>
#include <weir/detail/nursery.hpp>
#include <weir/log.hpp>
#include <weir/metrics.hpp>

namespace boost::asio {
class any_io_executor;
}

namespace weir {

/// What a running pipeline stands on: a strand to run on, a clock, and the hooks for logs and metrics. `spawn` makes one over any
/// Asio executor; `testing::simulation` is another, with a virtual clock and a seeded order of events.
///
/// One per strand; used on that strand only, except `post`, which any thread may call.
class environment {
public:
  environment() = default;
  environment(environment const&) = delete;
  environment& operator=(environment const&) = delete;
  virtual ~environment() = default;
  /// Runs `r` soon from the event loop, never from within this call.
  virtual void post(detail::resumption r) = 0;
  virtual weir::clock& clock() noexcept = 0;
  /// The strand, for Asio operations.
  virtual boost::asio::any_io_executor const& executor() noexcept = 0;

  /// Where messages go; the default writes warnings and errors to standard error.
  weir::logger log;
  /// Where figures go; null: nowhere.
  weir::metrics* metrics = nullptr;
};

}  // namespace weir
