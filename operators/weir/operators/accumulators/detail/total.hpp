#pragma once
#include <weir/codec.hpp>
#include <weir/operators/accumulators/detail/compensated_sum.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// What keeps the sum of values `V`: `total_of<V>`, with add(value), merge(other) and value(). A call that throws changes nothing.
namespace weir {
namespace detail {

[[noreturn]] void throw_sum_out_of_range();

template <std::integral I> class checked_sum {
public:
  void add(I x) {
    I sum = 0;
    if (__builtin_add_overflow(sum_, x, &sum)) [[unlikely]]
      throw_sum_out_of_range();
    sum_ = sum;
  }
  void merge(checked_sum const& other) { add(other.sum_); }
  I value() const noexcept { return sum_; }

private:
  I sum_ = 0;
};

// `Total` sums the ticks.
template <class Total, class Period> class duration_sum {
public:
  template <class Rep> void add(std::chrono::duration<Rep, Period> x) { ticks_.add(x.count()); }
  void merge(duration_sum const& other) { ticks_.merge(other.ticks_); }
  auto value() const noexcept {
    auto const n = ticks_.value();
    return std::chrono::duration<std::remove_const_t<decltype(n)>, Period>(n);
  }

private:
  Total ticks_;
};

template <class V> class plain_sum {
public:
  plain_sum() = default;
  explicit plain_sum(V sum) : sum_(std::move(sum)) {}
  template <class X> void add(X const& x) { sum_ += x; }
  void merge(plain_sum const& other) { sum_ += other.sum_; }
  V const& value() const noexcept { return sum_; }

private:
  V sum_{};
};

template <class V> struct total {};
template <std::signed_integral V> struct total<V> {
  using type = checked_sum<std::int64_t>;
};
template <std::unsigned_integral V> struct total<V> {
  using type = checked_sum<std::uint64_t>;
};
template <std::floating_point V> struct total<V> {
  using type = compensated_sum<std::common_type_t<V, double>>;
};
template <class Rep, class Period>
  requires std::is_arithmetic_v<Rep>
struct total<std::chrono::duration<Rep, Period>> {
  using type = duration_sum<typename total<Rep>::type, Period>;
};
template <class V>
  requires(!std::is_arithmetic_v<V> && std::semiregular<V> && requires(V& sum, V const& x) { sum += x; })
struct total<V> {
  using type = plain_sum<V>;
};
template <class V> using total_of = typename total<V>::type;

template <class V>
concept has_total = requires { typename total_of<V>; };
template <class V> using total_value = std::decay_t<decltype(std::declval<total_of<V> const&>().value())>;

}  // namespace detail

template <class V> struct codec<detail::plain_sum<V>> {
  static void encode(detail::plain_sum<V> const& s, std::vector<std::byte>& to)
    requires encodable<V>
  {
    encode_state(s.value(), to);
  }
  static detail::plain_sum<V> decode(std::span<std::byte const>& from)
    requires encodable<V>
  {
    return detail::plain_sum<V>(decode_part<V>(from));
  }
};

}  // namespace weir
