#pragma once

#include "payment_sum.hpp"
#include "window_sum.hpp"

#include <weir/instant.hpp>
#include <weir/ledger.hpp>
#include <command_line/event_time_options.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace payments {

/// What the windows said, and what did not get into any.
class report {
public:
  /// The sum of a key's window, in the place of what was said of it before: windows may be corrected.
  void put(window_sum w) { windows_.insert_or_assign(std::pair(std::move(w.key), w.window_start), w.sum); }
  /// Sets a late payment aside.
  void add_late(payment p) { late_.push_back(std::move(p)); }

  /// Over all windows, by key. Errors: those of `payment_sum`.
  std::map<std::string, sum_of_payments> totals() const;
  std::vector<payment> const& late() const noexcept { return late_; }

  /// For people: the totals as a table, what became of all deliveries, and the late payments that were set aside. With a line's end.
  std::string text(weir::tally const& deliveries, command_line::late_policy policy) const;

private:
  std::map<std::pair<std::string, weir::instant>, sum_of_payments> windows_;
  std::vector<payment> late_;
};

}  // namespace payments
