#pragma once
#include <weir/codec.hpp>
#include <weir/operators/detail/bucket_counts.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace weir::detail {

// The buckets of a DDSketch: number i has the magnitudes above g^(i-1) and up to g^i, where g = (1 + e) / (1 - e). The value in a bucket
// that is within the relative error e of all others in it is g^i (1 - e). Source: Masson, Rim, Lee, VLDB 2019, section 2.1.
class log_buckets {
public:
  static constexpr bool error_possible(double e) noexcept { return e >= 0.0001 && e <= 0.5; }
  static constexpr bool number_possible(std::uint64_t max_buckets) noexcept { return max_buckets >= 16 && max_buckets <= 65'536; }

  log_buckets(double relative_error, std::uint32_t max_buckets) noexcept
      : error_(relative_error), max_(max_buckets), log_g_(std::log1p(error_) - std::log1p(-error_)), per_log_(1 / log_g_) {}

  double relative_error() const noexcept { return error_; }
  std::uint32_t max_buckets() const noexcept { return max_; }
  std::int32_t index(double magnitude) const noexcept {
    double const exact = std::log(magnitude) * per_log_;
    auto const cut_off = static_cast<std::int32_t>(exact);  // std::ceil is a call without SSE 4.1
    return cut_off + (cut_off < exact ? 1 : 0);
  }
  double value(std::int32_t index) const noexcept { return std::exp(index * log_g_ + std::log1p(-error_)); }

private:
  double error_;
  std::uint32_t max_;
  double log_g_, per_log_;
};

// Counts of values in buckets, from which quantiles are told. Only those with equal settings fit together, so these are kept here.
class ddsketch {
public:
  // Throws errc::out_of_range for what is not finite, and errc::incompatible when what is there was counted in other buckets.
  void add(double value, log_buckets const& by);
  void merge(ddsketch const& other);

  std::uint64_t count() const noexcept { return negative_.total() + zero_ + positive_.total(); }
  std::uint64_t collapsed() const noexcept { return negative_.collapsed() + positive_.collapsed(); }
  // These throw errc::misuse when there is nothing, and at() errc::out_of_range for a q that is not from 0 to 1.
  double at(double q) const;
  double min() const;
  double max() const;
  std::size_t heap_bytes() const noexcept { return negative_.heap_bytes() + positive_.heap_bytes(); }

  void encode(std::vector<std::byte>& to) const;
  static ddsketch decode(std::span<std::byte const>& from);

private:
  void set_or_check(double error, std::uint32_t max_buckets);
  void check_not_empty(char const* what) const;

  double error_ = 0;  // of none, when nothing was added
  std::uint32_t max_buckets_ = 0;
  double min_ = std::numeric_limits<double>::infinity(), max_ = -min_;
  std::uint64_t zero_ = 0;
  bucket_counts negative_, positive_;  // by magnitude
};

}  // namespace weir::detail

template <> struct weir::codec<weir::detail::ddsketch> {
  static void encode(detail::ddsketch const& s, std::vector<std::byte>& to) { s.encode(to); }
  static detail::ddsketch decode(std::span<std::byte const>& from) { return detail::ddsketch::decode(from); }
};
