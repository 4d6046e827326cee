#pragma once
#include <weir/source.hpp>
#include <weir/testing/script.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::memory {

/// A source in memory that follows a script; for tests, and wherever the data is at hand. Positions count the elements of a partition.
template <class T> class source final : public weir::source<T> {
public:
  explicit source(testing::script<T> s) : script_(std::move(s)) {}
  std::string_view name() const noexcept override { return script_.name(); }
  std::vector<std::string> partitions() const override { return script_.partitions(); }
  stream<T> open(std::string partition, std::optional<position> after) override {
    return script_.play(std::move(partition), after ? after->offset() : 0);
  }

private:
  testing::script<T> script_;
};

}  // namespace weir::memory
