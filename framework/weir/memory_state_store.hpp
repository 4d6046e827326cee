#pragma once
#include <weir/entry_reader.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// Keeps checkpoints for as long as it lives: for tests, and for pipelines that begin anew with each process.
///
/// Never waits. Thread-safety: all functions, from any strand. State: a copy of each entry.
class memory_state_store final : public state_store, private entry_reader {
public:
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;
  entry_reader* reader() noexcept override { return this; }

private:
  std::optional<std::vector<std::byte>> read(checkpoint_key const& of, std::string_view operator_id, std::string_view key) override;
  void each(checkpoint_key const& of, std::string_view operator_id,
            std::function<void(std::string_view, std::span<std::byte const>)> const& f) override;
  struct kept {
    checkpoint_head head;
    std::map<std::pair<std::string, std::string>, std::vector<std::byte>> entries;  // by operator and key
  };
  std::mutex lock_;
  std::map<checkpoint_key, kept> kept_;
};

}  // namespace weir
