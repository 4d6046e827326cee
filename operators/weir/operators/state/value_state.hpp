#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/detail/schema_text.hpp>
#include <weir/instant.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// A value in the state of `process`, or none. It may expire: `drop_before(t)` takes it away when its time is before `t`; one that was
/// set without a time stays.
///
/// Memory: that of a `std::optional`, and 8 bytes.   Strand only.
template <class T> class value_state {
public:
  void set(T value) { set(std::move(value), end_of_time); }
  void set(T value, instant time) {
    value_ = std::move(value);
    time_ = time;
  }
  void clear() noexcept { value_.reset(); }
  /// Whether it went.
  bool drop_before(instant t) noexcept {
    if (!value_ || time_ >= t) return false;
    clear();
    return true;
  }

  bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  /// There must be one.
  T& operator*() noexcept { return *value_; }
  T const& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return &*value_; }
  T const* operator->() const noexcept { return &*value_; }
  T value_or(T other) const { return value_ ? *value_ : std::move(other); }
  /// The time it was set with; `end_of_time` without.
  instant time() const noexcept { return time_; }
  /// What the value has elsewhere, in bytes.
  std::size_t memory() const { return detail::owned_bytes(value_); }

private:
  std::optional<T> value_;
  instant time_ = end_of_time;
};

/// In a checkpoint: whether there is a value; the value and its time.
template <encodable T> struct codec<value_state<T>> {
  static void encode(value_state<T> const& state, std::vector<std::byte>& to) {
    encode_state(state.has_value(), to);
    if (!state) return;
    encode_state(*state, to);
    encode_state(state.time(), to);
  }
  static value_state<T> decode(std::span<std::byte const>& from) {
    value_state<T> state;
    if (!decode_part<bool>(from)) return state;
    T value = decode_part<T>(from);
    state.set(std::move(value), decode_part<instant>(from));
    return state;
  }
  static std::string schema() { return detail::schema_of_parts("value_state", {schema_of<T>()}); }
};

}  // namespace weir
