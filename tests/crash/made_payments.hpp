#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace weir::test {

/// Deliveries of payments to fifty shops over some half an hour, as an at-least-once source makes them: a fifth comes twice, soon or
/// minutes later; most are out of order by seconds, some late by up to five minutes. The same on every machine.
class made_payments {
public:
  explicit made_payments(int deliveries);

  /// As `payments --input` reads them.
  std::string const& lines() const noexcept { return lines_; }
  /// By the definition, each payment once: "shop,start of the minute in ms,payments,hundredths", sorted.
  std::vector<std::string> const& totals() const noexcept { return totals_; }
  /// The start, in ms, of the first minute that has not closed when the data ends, with a bound of 10 s.
  long first_open_window() const noexcept { return first_open_window_; }

private:
  std::string lines_;
  std::vector<std::string> totals_;
  long first_open_window_ = 0;
};

}  // namespace weir::test
