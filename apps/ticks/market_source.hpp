#pragma once

#include "generator.hpp"
#include "tick.hpp"

#include <weir/source.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ticks {

/// The built-in market as a source: one partition, positions counted from 1.
///
/// Opened after a position it runs over the trades before it (15 ns each) and goes on with the next. As fast as it is pulled, or at
/// `speed` seconds of event time per second of the clock; then a trade is never early. Memory: one chunk, and the symbols.
/// Errors: `std::invalid_argument` as `generator`.
class market_source final : public weir::source<tick> {
public:
  /// `count` trades in all, 0: without end. `speed` 0: as fast as possible.
  market_source(market m, std::uint64_t count, double speed);

  std::string_view name() const noexcept override { return name_; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  weir::stream<tick> open(std::string partition, std::optional<weir::position> after) override;

private:
  market market_;
  std::uint64_t count_;
  double speed_;
  std::string name_;
};

}  // namespace ticks
