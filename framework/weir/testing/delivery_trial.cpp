#include <weir/testing/delivery_trial.hpp>

#include <weir/testing/faulty_store.hpp>

#include <utility>

namespace weir::testing {

delivery_trial::delivery_trial(delivery_schedule const& mishaps) {
  for (fault_script* const calls : {&reads_, &writes_, &commits_})
    calls->tell([log = log_](std::string what) { log->push_back(std::move(what)); });
  for (mishap const& m : mishaps) {
    if (m.where() == mishap::place::read) reads_.at(m.nth(), m.what());
    if (m.where() == mishap::place::write) writes_.at(m.nth(), m.what());
    if (m.where() == mishap::place::commit) commits_.at(m.nth(), m.what());
  }
}

std::shared_ptr<state_store> delivery_trial::store(std::shared_ptr<state_store> outside) const {
  std::shared_ptr<state_store> kept = kept_;
  if (outside) kept = std::move(outside);
  return std::make_shared<faulty_store>(std::move(kept), commits_);
}
void delivery_trial::note(std::string what) { log_->push_back(std::move(what)); }

}  // namespace weir::testing
