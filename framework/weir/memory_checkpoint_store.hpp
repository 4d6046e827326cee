#pragma once
#include <weir/checkpoint_store.hpp>

#include <map>
#include <mutex>

namespace weir {

/// Keeps checkpoints for as long as it lives: for tests, and for pipelines that begin anew with each process.
///
/// Never waits. Thread-safety: all functions, from any strand. State: a copy of each checkpoint.
class memory_checkpoint_store final : public checkpoint_store {
public:
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> save(checkpoint_key key, saved_checkpoint checkpoint) override;
  task<std::vector<checkpoint_entry>> list(std::string pipeline) override;
  task<> erase(checkpoint_key key) override;

private:
  std::mutex lock_;
  std::map<checkpoint_key, saved_checkpoint> saved_;
};

}  // namespace weir
