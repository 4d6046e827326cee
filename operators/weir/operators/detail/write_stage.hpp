#pragma once
#include <weir/barrier.hpp>
#include <weir/mark.hpp>
#include <weir/stage.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {

// Rows wait for the barrier behind them, and go into its commit.
template <class Row, class Sink> class write_stage {
public:
  static constexpr bool may_hold = true;
  explicit write_stage(Sink s) : sink_(std::move(s)) {}

  template <class Time> bool element(Row& x, Time, auto) {
    rows_.push_back(std::move(x));
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::barrier) {
      last_ = m.cut;
      if (!rows_.empty()) m.cut->state().add(sink_.write(std::exchange(rows_, {})));
    }
    return down.mark(m);
  }
  bool finish(auto down) {
    if (!rows_.empty() && last_) last_->at_end(sink_.write(std::exchange(rows_, {})));
    return down.finish();
  }
  bool holds() const noexcept { return !rows_.empty(); }

private:
  Sink sink_;
  std::vector<Row> rows_;
  barrier* last_ = nullptr;  // its owner keeps it until a later one is complete, and there is none behind the last
};

}  // namespace weir::detail
