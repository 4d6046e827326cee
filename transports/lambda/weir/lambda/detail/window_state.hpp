#pragma once
#include <weir/lambda/event.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>
#include <utility>

namespace weir::lambda::detail {

// The checkpoint of a shard that goes from one invocation of a tumbling window to the next in the mapping's `state`, so that what operators
// keep needs no store: {"weir":"<base64>"}.
class window_state {
public:
  window_state(event_window of, checkpoint_key key) : window_(std::move(of)), key_(std::move(key)) {}

  std::shared_ptr<state_store> store() const noexcept { return store_; }
  // Puts what the last invocation answered into the store. Throws errc::malformed, and errc::corrupt, for what no pipeline has answered.
  task<> restore();
  // What the store has by now. Throws errc::too_large where the mapping would not carry it.
  task<std::string> json() const;
  // The window, and whose it is, for people.
  std::string about() const;
  // Nothing comes behind this invocation, so what is open is closed.
  bool closes() const noexcept { return window_.is_final || window_.is_terminated_early; }

private:
  event_window window_;
  checkpoint_key key_;
  std::shared_ptr<memory_state_store> store_ = std::make_shared<memory_state_store>();
};

}  // namespace weir::lambda::detail
