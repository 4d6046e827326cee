#pragma once
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/detail/hyperloglog.hpp>
#include <weir/operators/detail/stable_hash.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace weir {

/// How exact `distinct` is, and what it may cost.
struct distinct_options {
  /// 2^precision registers of one byte, and a standard error of 1.04 / sqrt(2^precision): from 4 (26 %) to 18 (0.2 %).
  /// With the default there are 16 KiB of them, and the error is 0.8 %.
  unsigned precision = 14;
};

namespace detail {
unsigned checked_precision(distinct_options o);
std::uint64_t rounded_estimate(hyperloglog const& h);
}  // namespace detail

/// How many different values `projection` says the elements have, estimated, as a `std::uint64_t`: `distinct(&visit::client)`, and
/// `distinct()` for the elements themselves. 0 for no elements.
///
/// The standard error is 1.04 / sqrt(2^`precision`) of it, for any number of values (0.8 % by default: one result in 400 is off by more
/// than 2.4 %), and there is no bias (with a precision below 8, errors are skewed upwards). Up to 3/16 of 2^`precision` different values
/// (3,072 by default) it is all but exact, off by one in some per cent of cases at the end of that range. Order plays no part, and neither
/// does how often a value comes: adding and merging in any way gives the same state, bit for bit.
///
/// Values are numbers and enumerations, text, bytes (`std::byte` or `unsigned char` in one piece), times and durations of `std::chrono`,
/// and pairs and tuples of these (`std::tie` will do). Equal values are one, 0 and -0 too; all NaN are one. Of anything else, give a 64-bit
/// hash that stays the same over restarts. Values are told apart by such a hash, SplitMix64 of numbers and XXH64 of text and bytes; who
/// chooses values to fool it can, so do not count what somebody gains by.
///
/// An accumulator. Adding takes constant time, a result reads all registers. State: 56 bytes, and about 8 for each different value until
/// that would be more than 2^`precision` bytes, which it then is (16 KiB); in checkpoints, 4 bytes for each value or all the registers.
/// Errors: `errc::invalid_option` when built; `errc::incompatible` when it goes on from a state with another precision.
/// Source: HyperLogLog, Flajolet, Fusy, Gandouet, Meunier (AofA 2007), with a sparse form as in HyperLogLog++, Heule, Nunkesser, Hall (EDBT
/// 2013), and the improved estimator of Ertl (arXiv:1702.01284, section 4).
template <class Projection = std::identity> class distinct {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> &&
                 detail::stably_hashable<std::remove_cvref_t<std::invoke_result_t<Projection const&, T const&>>>
  using state_for = detail::hyperloglog;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit distinct(Projection projection = Projection(), distinct_options options = {})
      : projection_(std::move(projection)), precision_(detail::checked_precision(options)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "distinct<" + std::to_string(precision_) + ">"; }
  template <class T> void add(detail::hyperloglog& s, T const& x, instant) const {
    s.add(detail::stable_hash(std::invoke(projection_, x)), precision_);
  }
  void merge(detail::hyperloglog& s, detail::hyperloglog const& other) const { s.merge(other); }
  std::uint64_t result(detail::hyperloglog const& s) const { return detail::rounded_estimate(s); }

private:
  [[no_unique_address]] Projection projection_;
  unsigned precision_;
};

}  // namespace weir
