#pragma once
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir {
namespace detail {

class skip_stage : public forwards_marks, public named_state {
public:
  explicit skip_stage(std::uint64_t n) : named_state("skip"), left_(n) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    if (left_ == 0) [[likely]]
      return down.element(x, t);
    --left_;
    return true;
  }

  std::string state_schema() const { return "skip"; }
  void save(std::vector<std::byte>& to) const { encode_state(left_, to); }
  void restore(std::span<std::byte const> from) { left_ = decode_state<std::uint64_t>(from); }

private:
  std::uint64_t left_;
};

}  // namespace detail

/// Drops the first `n` elements and hands on the others, unchanged.
///
/// A skipped element is done. Event time and key are kept. A stage.
/// - Emits when: `n` elements came before.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream fails.   Cancelled: at the next chunk.
/// State: how many are left to skip (8 bytes), checkpointed as `skip` or `.named(id)`, so `n` counts over restarts.
/// Errors: `errc::corrupt` when restored from something else.   Source: `std::views::drop`, [range.drop].
inline auto skip(std::uint64_t n) { return simple_stage<detail::skip_stage, unchanged>(detail::skip_stage(n)); }

}  // namespace weir
