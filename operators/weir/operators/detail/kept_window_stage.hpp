#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/detail/state_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/mark.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/shape.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// A window of a count that has a name: what is open is part of the checkpoint.
template <class T, class Time> class kept_window_stage : public named_state {
public:
  kept_window_stage(std::string_view id, std::size_t n) : named_state(id), n_(n) {}

  bool element(T& x, Time t, auto down) {
    time_ = open_.empty() ? t : later(time_, t);
    open_.push_back(std::move(x));
    return open_.size() < n_ ? true : close(down);
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::stop) {  // what came since the last barrier comes again
      open_.clear();
      marks_.clear();
    }
    bool const of_time = m.kind == mark_kind::watermark || m.kind == mark_kind::idle;
    if (open_.empty() || !of_time) return down.mark(m);
    marks_.add(m, 0);
    return true;
  }
  bool finish(auto down) {
    if (!open_.empty()) close(down);
    return down.finish();
  }
  std::size_t memory() { return elements_.memory_of(open_); }

  std::string state_schema() const { return "window; value " + schema_of<std::vector<T>>() + (has_time ? "; time" : ""); }
  void save(std::vector<std::byte>& to) const {
    encode_state(open_, to);
    if constexpr (has_time) encode_state(time_.at, to);
  }
  void restore(std::span<std::byte const> from) {
    open_ = decode_part<std::vector<T>>(from);
    if constexpr (has_time) time_.at = decode_part<instant>(from);
    if (!from.empty()) throw_state_left_over();
    if (open_.size() >= n_) {
      throw_foreign_state("window", "it has " + std::to_string(open_.size()) + " open elements, and windows are of " + std::to_string(n_));
    }
  }

private:
  static constexpr bool has_time = std::is_same_v<Time, timestamp>;
  bool close(auto down) {
    bool const more = down.element(open_, time_);
    open_.clear();  // moved from, or refused
    return marks_.empty() ? more : marks_.release(down, 0) && more;
  }

  std::size_t n_;
  std::vector<T> open_;
  sampled_bytes<T> elements_;
  [[no_unique_address]] Time time_{};
  held_marks marks_;
};

}  // namespace weir::detail
