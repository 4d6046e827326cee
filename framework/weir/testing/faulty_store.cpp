#include <weir/testing/faulty_store.hpp>

#include <weir/reschedule.hpp>

#include <utility>

namespace weir::testing {

faulty_store::faulty_store(std::shared_ptr<state_store> inside, fault_script commits)
    : inside_(std::move(inside)), commits_(std::move(commits)) {}

task<std::optional<saved_checkpoint>> faulty_store::load(checkpoint_key key) {
  co_await reschedule();
  std::optional<saved_checkpoint> found = co_await inside_->load(std::move(key));
  co_await reschedule();
  co_return found;
}

task<> faulty_store::commit(checkpoint_key key, checkpoint_update update) {
  fault_script::call const c = co_await commits_.begin();
  std::string told = "partition " + key.partition + " up to " + update.head.position.text();
  if (!update.changes.empty()) told += ", " + std::to_string(update.changes.size()) + " changes of state";
  co_await inside_->commit(std::move(key), std::move(update));
  co_await commits_.done(c, std::move(told));
}

task<std::vector<checkpoint_listing>> faulty_store::list(std::string pipeline) {
  co_await reschedule();
  std::vector<checkpoint_listing> found = co_await inside_->list(std::move(pipeline));
  co_await reschedule();
  co_return found;
}

task<std::vector<checkpoint_key>> faulty_store::keys() {
  co_await reschedule();
  std::vector<checkpoint_key> found = co_await inside_->keys();
  co_await reschedule();
  co_return found;
}

task<> faulty_store::erase(checkpoint_key key) {
  co_await reschedule();
  co_await inside_->erase(std::move(key));
  co_await reschedule();
}

}  // namespace weir::testing
