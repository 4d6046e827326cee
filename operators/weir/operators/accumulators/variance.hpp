#pragma once
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/accumulators/mean.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace weir {

/// How many values there are, where they lie and how far they are spread. What is not defined for so few values is null.
struct moments {
  std::uint64_t count = 0;
  std::optional<double> mean;                                    ///< for one value and more
  std::optional<double> population_variance;                     ///< of exactly these values, for one and more
  std::optional<double> sample_variance;                         ///< of what they are a sample of (Bessel's correction), for two and more
  std::optional<double> population_deviation, sample_deviation;  ///< standard deviations: the square roots of these

  friend bool operator==(moments const&, moments const&) = default;
};

namespace detail {

struct variance_state {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0;  // of the distances from the mean, summed
};

}  // namespace detail

/// The variance of what `projection` says about the elements, with the count, mean and standard deviation, as `moments`:
/// `variance(&request::seconds)`, and `variance()` for elements that are numbers themselves.
///
/// Values are turned into `double` by `static_cast`, so integers beyond 2^53 are rounded. A spread that is small against the values does
/// not cancel out. The order plays no part, but for roundings. An accumulator. State: 24 bytes. Errors: none; with a NaN or an infinity
/// among the values the figures are NaN. Source: Welford, "Note on a method for calculating corrected sums of squares and products",
/// Technometrics 4 (1962); merging: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
/// Stanford STAN-CS-79-773 (1979).
template <class Projection = std::identity> class variance {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> && detail::has_double<detail::projected<Projection, T>>
  using state_for = detail::variance_state;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit variance(Projection projection = Projection()) : projection_(std::move(projection)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "variance"; }
  template <class T> void add(detail::variance_state& s, T const& x, instant) const {
    auto const v = static_cast<double>(std::invoke(projection_, x));
    double const from_old = v - s.mean;
    s.mean += from_old / static_cast<double>(++s.count);
    s.squares += from_old * (v - s.mean);
  }
  void merge(detail::variance_state& s, detail::variance_state const& other) const noexcept {
    if (other.count == 0) return;
    if (s.count == 0) {
      s = other;
      return;
    }
    double const part = static_cast<double>(other.count) / static_cast<double>(s.count + other.count);
    double const apart = other.mean - s.mean;
    s.squares += other.squares + apart * apart * static_cast<double>(s.count) * part;
    s.mean += apart * part;
    s.count += other.count;
  }
  moments result(detail::variance_state const& s) const noexcept {
    moments m;
    m.count = s.count;
    if (s.count == 0) return m;
    m.mean = s.mean;
    m.population_variance = s.squares / static_cast<double>(s.count);
    m.population_deviation = std::sqrt(*m.population_variance);
    if (s.count == 1) return m;
    m.sample_variance = s.squares / static_cast<double>(s.count - 1);
    m.sample_deviation = std::sqrt(*m.sample_variance);
    return m;
  }

private:
  [[no_unique_address]] Projection projection_;
};

}  // namespace weir
