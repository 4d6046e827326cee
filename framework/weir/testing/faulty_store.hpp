#pragma once
#include <weir/state_store.hpp>
#include <weir/testing/fault_script.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::testing {

/// A store some of whose commits go wrong. What is kept is kept by the store inside, which outlives crashes.
/// ```
/// settings.checkpoints = std::make_shared<faulty_store>(kept, fault_script("commit").at(2, fault::crash_after));
/// ```
/// Every function gives way to the event loop before and after it is done, as one that goes over a network does, so that a crash can
/// come between. Thread-safety: strand only.
class faulty_store final : public state_store {
public:
  explicit faulty_store(std::shared_ptr<state_store> inside, fault_script commits = fault_script("commit"));
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;
  entry_reader* reader() noexcept override { return inside_->reader(); }
  bool does_writes_of(state_store const& other) const noexcept override { return inside_->does_writes_of(other); }

private:
  std::shared_ptr<state_store> inside_;
  fault_script commits_;
};

}  // namespace weir::testing
