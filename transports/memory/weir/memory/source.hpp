#pragma once
#include <weir/source.hpp>
#include <weir/testing/detail/partition_turns.hpp>
#include <weir/testing/script.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::memory {

/// A source in memory that follows a script; for tests, and wherever the data is at hand. Positions count the elements of a partition.
/// Partitions that follow others (`script::follows`) are read when those have ended.
template <class T> class source final : public weir::source<T> {
public:
  explicit source(testing::script<T> s) : script_(std::move(s)), turns_(script_.succession()) {}
  std::string_view name() const noexcept override { return script_.name(); }
  std::vector<std::string> partitions() const override { return script_.partitions(); }
  stream<T> open(std::string partition, std::optional<position> after) override {
    return script_.play(std::move(partition), after ? after->offset() : 0);
  }

  stream<assignment> assignments(assignment_view& pipeline) override {
    return turns_.matter() ? turns_.assignments(pipeline) : weir::source<T>::assignments(pipeline);
  }
  void ended(std::string const& partition, partition_end how) noexcept override { turns_.ended(partition, how); }
  std::optional<position> end_of(std::string const& partition) const override { return turns_.end_of(partition); }
  std::optional<std::uint64_t> unread(std::string const& partition) const override { return script_.unread(partition); }
  bool knows_heirs() const noexcept override { return turns_.matter(); }
  std::vector<predecessor> predecessors(std::string const& partition) const override { return turns_.predecessors(partition); }
  std::vector<std::string> heirs(std::string const& partition) const override { return turns_.heirs(partition); }
  bool owns(std::string const& partition, std::string_view partition_key) const override { return turns_.owns(partition, partition_key); }

private:
  testing::script<T> script_;
  testing::detail::partition_turns turns_;
};

}  // namespace weir::memory
