#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/accumulators/mean.hpp>
#include <weir/operators/detail/ddsketch.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// How exact `quantile` is, and what it may cost.
struct quantile_options {
  /// How far from the true value an answer may be, as a part of it: 0.01 is one per cent. 0.0001 to 0.5.
  double relative_error = 0.01;
  /// Buckets of 8 bytes for values above zero, and as many for those below; 16 to 65,536. So many tell values apart whose magnitudes differ
  /// by a factor of ((1 + e) / (1 - e))^max_buckets, where e is the relative error: 6e17 for the defaults, 60 for an error of 0.001,
  /// where 20,000 buckets would reach as far. Smaller magnitudes collapse (see `quantile`).
  std::size_t max_buckets = 2048;
};

/// What `quantile` knows of the values it was given: any of their quantiles.
/// ```cpp
/// if (latency.at(0.99) > 0.5) alert(latency.count());
/// ```
/// A value that holds a copy of the counts, as large as `quantile`'s state; `encodable`.
class quantile_sketch {
public:
  quantile_sketch() = default;
  /// By `quantile`, and by codecs.
  explicit quantile_sketch(detail::ddsketch counts) : counts_(std::move(counts)) {}

  /// The value of rank floor(q (n - 1)) when all n values are sorted from rank 0 up, to within the relative error; at(0) is the smallest
  /// and at(1) the largest, exactly. Takes time by the number of buckets.
  ///
  /// Throws `errc::out_of_range` when `q` is not from 0 to 1, and `errc::misuse` when there are no values.
  double at(double q) const { return counts_.at(q); }
  /// How many values.
  std::uint64_t count() const noexcept { return counts_.count(); }
  /// Exact. Throws `errc::misuse` when there are no values.
  double min() const { return counts_.min(); }
  /// Exact. Throws `errc::misuse` when there are no values.
  double max() const { return counts_.max(); }
  /// How many values were too small in magnitude to be told apart; with 0, all answers are within the relative error.
  std::uint64_t collapsed() const noexcept { return counts_.collapsed(); }

  /// What it is made of; for codecs.
  detail::ddsketch const& counts() const noexcept { return counts_; }

private:
  detail::ddsketch counts_;
};

namespace detail {
log_buckets checked_buckets(quantile_options o);
std::string schema_of_quantile(log_buckets const& b);
}  // namespace detail

/// All quantiles of what `projection` says about the elements, as a `quantile_sketch`: `quantile(&request::seconds)`, and of the result
/// `at(0.5)`, `at(0.99)`, ...; `quantile()` for elements that are numbers themselves.
///
/// An answer differs from the true quantile by at most `relative_error` of it, whatever the values and however many; none has to be chosen
/// beforehand. Values are turned into `double` by `static_cast`, so integers beyond 2^53 are rounded; magnitudes below 2.3e-308 count as
/// zero. Order plays no part: adding and merging in any way gives the same state, bit for bit.
///
/// Counts are kept for `max_buckets` buckets from the largest magnitude down, on each side of zero. Smaller values collapse into the lowest
/// of these: of them is known only that their magnitude is not above it. So large magnitudes keep the error bound, and with them the high
/// quantiles of values above zero; an answer that falls among collapsed values has too large a magnitude. `collapsed()` counts them.
///
/// An accumulator. Adding takes the time of a logarithm. State: about 200 bytes, and 16 for each bucket in use while few of their range
/// are; then 8 for each of the range, up to 16 x `max_buckets` (32 KiB; as much again may be reserved). In checkpoints, about 3 bytes for
/// each bucket in use.
/// Errors: `errc::invalid_option` when built; `errc::out_of_range` for a value that is NaN or infinite, with the state as it was;
/// `errc::incompatible` when it goes on from a state with other options.
/// Source: DDSketch, Masson, Rim, Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees", VLDB 2019.
template <class Projection = std::identity> class quantile {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> && detail::has_double<detail::projected<Projection, T>>
  using state_for = detail::ddsketch;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit quantile(Projection projection = Projection(), quantile_options options = {})
      : projection_(std::move(projection)), buckets_(detail::checked_buckets(options)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return detail::schema_of_quantile(buckets_); }
  template <class T> void add(detail::ddsketch& s, T const& x, instant) const {
    s.add(static_cast<double>(std::invoke(projection_, x)), buckets_);
  }
  void merge(detail::ddsketch& s, detail::ddsketch const& other) const { s.merge(other); }
  quantile_sketch result(detail::ddsketch const& s) const { return quantile_sketch(s); }

private:
  [[no_unique_address]] Projection projection_;
  detail::log_buckets buckets_;
};

}  // namespace weir

template <> struct weir::codec<weir::quantile_sketch> {
  static void encode(quantile_sketch const& s, std::vector<std::byte>& to) { encode_state(s.counts(), to); }
  static std::string schema() { return "quantile_sketch"; }
  static quantile_sketch decode(std::span<std::byte const>& from) { return quantile_sketch(decode_part<detail::ddsketch>(from)); }
};
