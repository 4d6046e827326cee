#pragma once
#include <weir/state_store.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace weir {

/// Reads single entries of checkpoints, as they are committed, without waiting: what a store has that keeps them at hand (in memory, on a
/// disk of this machine). It is what operators stand on whose state is larger than memory.
///
/// A read blocks its strand for as long as the disk takes, which should be some microseconds. It sees what the last commit that returned
/// has left. Thread-safety: as the store's. Errors: as `state_store::load`.
class entry_reader {
public:
  /// Null: there is no such entry.
  virtual std::optional<std::vector<std::byte>> read(checkpoint_key const& of, std::string_view operator_id, std::string_view key) = 0;
  /// Calls `f` with all entries of an operator, in order of their keys. It must not call the store.
  virtual void each(checkpoint_key const& of, std::string_view operator_id,
                    std::function<void(std::string_view key, std::span<std::byte const> value)> const& f) = 0;

protected:
  ~entry_reader() = default;
};

}  // namespace weir
