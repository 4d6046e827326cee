#pragma once
#include <weir/barrier.hpp>
#include <weir/detail/checkpoint_line.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/mark.hpp>
#include <weir/named_sink.hpp>
#include <weir/stage.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// Rows wait for the barrier behind them, and go into its commit.
template <class Row> class write_stage {
public:
  static constexpr bool may_hold = true;
  explicit write_stage(named_sink<Row> s) noexcept : sink_(s) {}

  template <class Time> bool element(Row& x, Time, auto) {
    rows_.push_back(std::move(x));
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::barrier) {
      line_.check(*m.cut);
      if (!rows_.empty()) m.cut->state().add(sink_.part_of_commit(std::exchange(rows_, {}), *m.cut));
    }
    return down.mark(m);
  }
  bool finish(auto down) {
    if (!rows_.empty()) sink_.at_end(std::exchange(rows_, {}));
    return down.finish();
  }
  bool holds() const noexcept { return !rows_.empty(); }
  static constexpr std::string_view memory_name = "write_to";
  static constexpr bool passing_memory = true;
  std::size_t memory() { return sizes_.memory_of(rows_); }

private:
  named_sink<Row> sink_;
  std::vector<Row> rows_;
  sampled_bytes<Row> sizes_;
  checkpoint_line line_;
};

}  // namespace weir::detail
