#pragma once
#include <weir/state_store.hpp>

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Keeps checkpoints for as long as it lives: for tests, and for pipelines that begin anew with each process.
///
/// Never waits. Thread-safety: all functions, from any strand. State: a copy of each entry.
class memory_state_store final : public state_store {
public:
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;

private:
  struct kept {
    checkpoint_head head;
    std::map<std::pair<std::string, std::string>, std::vector<std::byte>> entries;  // by operator and key
  };
  std::mutex lock_;
  std::map<checkpoint_key, kept> kept_;
};

}  // namespace weir
