#pragma once

#include <closed_bar.hpp>

#include <weir/dynamodb/client.hpp>
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ticks {

/// A sink for `use_sink`: closed bars in a table of DynamoDB, an item each.
///
/// Its partition key is `symbol`, a text, its sort key `window_start`, a number: ms since the epoch, UTC. Beside them it has `window_end`,
/// the first moment after the window, `trades`, a number, and `open`, `high`, `low`, `close` and `volume`, texts: exact decimals. The table
/// is made where there is none, paid for by the request.
///
/// Guarantee: idempotent: a bar that comes again takes its own place. Errors: those of `weir::dynamodb::client`.
class bar_items {
public:
  using row_type = closed_bar;
  static constexpr weir::guarantee promises = weir::guarantee::idempotent;

  bar_items(weir::dynamodb::client calls, std::string table);

  std::string_view kind = "dynamodb";
  /// Bars of one commit.
  std::shared_ptr<weir::outside_write> write(std::vector<closed_bar> bars) const;

private:
  weir::dynamodb::client calls_;
  std::string table_;
};

}  // namespace ticks
