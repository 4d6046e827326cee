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

class take_stage : public named_state {
public:
  explicit take_stage(std::uint64_t n) : named_state("take"), left_(n) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    if (over()) return false;
    bool const more = down.element(x, t);
    if (--left_ != 0) return more;
    down.finish();  // downstream sees an ordinary end of the data
    return false;
  }
  bool mark(weir::mark const& m, auto down) {
    if (over() && m.kind != mark_kind::restore) return false;
    return down.mark(m) && !over();
  }
  bool finish(auto down) { return down.finish(); }
  bool over() const noexcept { return left_ == 0; }

  std::string state_schema() const { return "take"; }
  void save(std::vector<std::byte>& to) const { encode_state(left_, to); }
  void restore(std::span<std::byte const> from) { left_ = decode_state<std::uint64_t>(from); }

private:
  std::uint64_t left_;
};

}  // namespace detail

/// Hands on the first `n` elements and then ends the stream as if its data had ended, without asking for another element.
///
/// Event time and key are kept. A stage. `take(0)` ends at the first pull, of which it drops what comes.
/// - Emits when: fewer than `n` came so far.   Backpressures when: downstream does.
/// - Completes when: `n` elements have passed, or upstream completes.   Fails when: upstream fails before.   Cancelled: at the next chunk.
/// State: how many are left (8 bytes), checkpointed as `take` or `.named(id)`, so `n` counts over restarts.   Errors: `errc::corrupt` when
/// restored from something else. Source: `std::views::take`, [range.take].
inline auto take(std::uint64_t n) { return simple_stage<detail::take_stage, unchanged>(detail::take_stage(n)); }

}  // namespace weir
