#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weir::detail {

// The times a key waits for, each once.
class timer_list {
public:
  static constexpr bool possible = true;
  bool empty() const noexcept { return times_.empty(); }
  std::size_t size() const noexcept { return times_.size(); }
  instant first() const noexcept { return times_.all().front().time; }

  // Whether that changes anything.
  bool set(instant at) {
    auto const all = times_.all();
    if (all.empty() || all.back().time < at) {
      times_.add(waiting{at});
      return true;
    }
    std::size_t const i = times_.count_before(at);
    if (all[i].time == at) return false;
    times_.insert(i, waiting{at});
    return true;
  }
  bool cancel(instant at) {
    std::size_t const i = times_.count_before(at);
    if (i == size() || times_.all()[i].time != at) return false;
    if (i == 0) times_.drop_front(1);
    else times_.erase(i);
    return true;
  }
  void drop_first() { times_.drop_front(1); }
  void clear() noexcept { times_.clear(); }
  // In bytes.
  std::size_t memory() const noexcept { return times_.memory(); }

  void save(std::vector<std::byte>& to) const {
    encode_state(std::uint64_t{size()}, to);
    for (waiting const& w : times_.all()) encode_state(w.time, to);
  }

private:
  struct waiting {
    instant time;
  };
  time_queue<waiting> times_;
};

// Where a function has none.
template <int Which> class no_timers {
public:
  static constexpr bool possible = false;
  static constexpr bool empty() noexcept { return true; }
  static constexpr std::size_t size() noexcept { return 0; }
  static constexpr instant first() noexcept { return end_of_time; }
  static constexpr std::size_t memory() noexcept { return 0; }
  static constexpr void save(std::vector<std::byte>&) noexcept {}
};

template <class Timers> void restore_timers(std::string_view who, Timers& timers, std::span<std::byte const>& from) {
  for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
    if constexpr (Timers::possible) timers.set(decode_part<instant>(from));
    else throw_foreign_state(who, "it has timers of a kind that the function has no place for to fire");
  }
}

}  // namespace weir::detail
