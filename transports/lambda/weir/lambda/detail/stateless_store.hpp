#pragma once
#include <weir/state_store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::lambda::detail {

// Takes frontiers and forgets them: each invocation begins with nothing, and what it has done, its answer says. It takes no state, which
// nobody would have in the next one.
class stateless_store final : public state_store {
public:
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;
};

}  // namespace weir::lambda::detail
