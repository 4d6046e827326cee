#pragma once
#include <weir/settings.hpp>
#include <weir/task.hpp>

namespace weir::detail {

// Runs pipelines of its own when somebody outside says so, in place of the application, which runs its own for as long as it runs.
class pipeline_host {
public:
  pipeline_host() = default;
  pipeline_host(pipeline_host const&) = delete;
  pipeline_host& operator=(pipeline_host const&) = delete;
  virtual ~pipeline_host() = default;
  // Until nobody says so any more. `forgetful`: no checkpoints were given. `s` outlives it.
  virtual task<> run(settings const& s, bool forgetful) = 0;
  // What is under way is finished, and nothing begun any more. May come while nothing runs, and then counts for the next run.
  virtual void drain() noexcept = 0;
};

}  // namespace weir::detail
