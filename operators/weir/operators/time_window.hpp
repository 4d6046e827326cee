#pragma once
#include <weir/codec.hpp>
#include <weir/detail/schema_text.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/state_errors.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// The event times from `start` up to, not including, `end`.
struct time_window {
  constexpr time_window() = default;
  constexpr time_window(instant s, instant e) noexcept : start(s), end(e) {}
  constexpr bool contains(instant t) const noexcept { return t >= start && t < end; }
  friend constexpr auto operator<=>(time_window const&, time_window const&) = default;
  instant start = 0, end = 0;
};

/// Which of a window's results one is. Source: "pane" in the Dataflow model, section 2.3.
enum class pane : std::uint8_t {
  early,    ///< the window is still open: what has come so far
  on_time,  ///< the watermark has passed the window's end
  late,     ///< an element within the allowed lateness changed it after that
};

/// The key of windows over all elements, where there is no `key_by`.
struct no_key {
  friend constexpr bool operator==(no_key, no_key) noexcept { return true; }
};

/// What an operator on windows says about one key and one window.
///
/// Together with the names of pipeline and operator, `key`, `window` and `revision` are its identity (`result_identity`): it is the same
/// when the same elements are replayed. A result replaces those of the same key and window with lower revisions.
template <class K, class R> struct window_result {
  window_result(K k, time_window w, R v, std::uint32_t rev = 0, weir::pane p = weir::pane::on_time)
      : key(std::move(k)), window(w), value(std::move(v)), revision(rev), pane(p) {}
  friend bool operator==(window_result const&, window_result const&) = default;
  K key;
  time_window window;
  R value;
  std::uint32_t revision;  ///< counts this key's results for this window, from 0
  weir::pane pane;
};

/// In a checkpoint: key, window, value, revision, pane.
template <encodable K, encodable R> struct codec<window_result<K, R>> {
  static void encode(window_result<K, R> const& r, std::vector<std::byte>& to) {
    encode_state(r.key, to);
    encode_state(r.window, to);
    encode_state(r.value, to);
    encode_state(r.revision, to);
    encode_state(r.pane, to);
  }
  static window_result<K, R> decode(std::span<std::byte const>& from) {
    K key = decode_part<K>(from);
    auto const window = decode_part<time_window>(from);
    R value = decode_part<R>(from);
    auto const revision = decode_part<std::uint32_t>(from);
    auto const pane = decode_part<weir::pane>(from);
    if (pane > weir::pane::late) detail::throw_damaged_state("window_result", "it has an impossible pane");
    return window_result<K, R>(std::move(key), window, std::move(value), revision, pane);
  }
  static std::string schema() { return detail::schema_of_parts("window_result", {schema_of<K>(), schema_of<R>()}); }
};

}  // namespace weir
