#pragma once
#include <weir/application_status.hpp>
#include <weir/log.hpp>

#include <memory>

namespace weir {

class metrics;

/// Shows the status of an application to the world while it runs: `settings::status`. `status::server` is one, over HTTP.
///
/// Called by one application at a time; `start` and `stop` on its strand, which must not wait for whoever looks.
class status_service {
public:
  status_service() = default;
  status_service(status_service const&) = delete;
  status_service& operator=(status_service const&) = delete;
  virtual ~status_service() = default;
  /// Where figures go when `settings::metrics` is not set; null: nowhere.
  virtual weir::metrics* metrics() noexcept = 0;
  /// The application runs. Throws `weir::error` when it cannot be shown, and the application does not start.
  virtual void start(std::shared_ptr<application_status const> status, logger log) = 0;
  /// It is over. What was shown may stay until then.
  virtual void stop() noexcept = 0;
};

}  // namespace weir
