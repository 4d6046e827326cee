#pragma once
#include <weir/state_store.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// A store that does what the one inside does: to be derived from, and changed in one place.
class forwarding_store : public state_store {
public:
  explicit forwarding_store(std::shared_ptr<state_store> inside) noexcept : inside_(std::move(inside)) {}
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override { return inside_->load(std::move(key)); }
  task<> commit(checkpoint_key key, checkpoint_update update) override { return inside_->commit(std::move(key), std::move(update)); }
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override { return inside_->list(std::move(pipeline)); }
  task<std::vector<checkpoint_key>> keys() override { return inside_->keys(); }
  task<> erase(checkpoint_key key) override { return inside_->erase(std::move(key)); }
  entry_reader* reader() noexcept override { return inside_->reader(); }
  bool does_writes_of(state_store const& other) const noexcept override { return inside_->does_writes_of(other); }

protected:
  state_store& inside() noexcept { return *inside_; }

private:
  std::shared_ptr<state_store> inside_;
};

}  // namespace weir::test
