#include <weir/operators/detail/ddsketch.hpp>

#include <weir/error.hpp>
#include <weir/operators/detail/sketch_bytes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace weir::detail {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();  // below, numbers are too coarse for a relative error

}  // namespace

void ddsketch::add(double value, log_buckets const& by) {
  if (!std::isfinite(value)) [[unlikely]]
    throw error(errc::out_of_range, "quantile: cannot take a value", std::isnan(value) ? "it is not a number (NaN)" : "it is infinite",
                "filter such elements out, or map them to what they stand for");
  if (by.relative_error() != error_ || by.max_buckets() != max_buckets_) [[unlikely]]
    set_or_check(by.relative_error(), by.max_buckets());
  value += 0.0;  // -0 and 0 are one, whichever came first
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  if (value >= smallest) positive_.add(by.index(value), 1, max_buckets_);
  else if (value <= -smallest) negative_.add(by.index(-value), 1, max_buckets_);
  else ++zero_;
}

void ddsketch::merge(ddsketch const& other) {
  if (other.max_buckets_ == 0) return;
  set_or_check(other.error_, other.max_buckets_);
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  zero_ += other.zero_;
  negative_.merge(other.negative_, max_buckets_);
  positive_.merge(other.positive_, max_buckets_);
}

double ddsketch::at(double q) const {
  if (!(q >= 0 && q <= 1))
    throw error(errc::out_of_range, "quantile: there is none here", "quantiles go from 0 to 1", "0.99 is the 99th percentile");
  check_not_empty("quantile");
  if (q == 0) return min_;
  if (q == 1) return max_;
  std::uint64_t const last = count() - 1;
  // A double cannot tell the last ranks of more than 2^53 elements apart.
  std::uint64_t rank = std::min(last, static_cast<std::uint64_t>(std::min(q * static_cast<double>(last), 0x1p63)));
  log_buckets const buckets(error_, max_buckets_);
  double value = 0;
  if (rank < negative_.total()) {
    value = -buckets.value(negative_.at(negative_.total() - 1 - rank));
  } else {
    rank -= negative_.total();
    if (rank >= zero_) value = buckets.value(positive_.at(rank - zero_));
  }
  return std::clamp(value, min_, max_);  // the element that is asked for is between them, so this is never farther from it
}

double ddsketch::min() const {
  check_not_empty("minimum");
  return min_;
}

double ddsketch::max() const {
  check_not_empty("maximum");
  return max_;
}

void ddsketch::set_or_check(double relative_error, std::uint32_t max_buckets) {
  if (max_buckets_ == 0) {
    error_ = relative_error;
    max_buckets_ = max_buckets;
  } else if (relative_error != error_ || max_buckets != max_buckets_) {
    throw error(errc::incompatible, "quantile: cannot go on with what was counted before",
                "it has another relative error or number of buckets", "restore a checkpoint with the settings it was made with");
  }
}

void ddsketch::check_not_empty(char const* what) const {
  if (count() == 0)
    throw error(errc::misuse, std::string("quantile: there is no ").append(what), "there are no elements", "look at count() first");
}

// Relative error (0: nothing follows), number of buckets, smallest and largest value, zeros, buckets below and above zero.
void ddsketch::encode(std::vector<std::byte>& to) const {
  encode_state(error_, to);
  if (max_buckets_ == 0) return;
  put_varint(to, max_buckets_);
  encode_state(min_, to);
  encode_state(max_, to);
  put_varint(to, zero_);
  negative_.encode(to);
  positive_.encode(to);
}

ddsketch ddsketch::decode(std::span<std::byte const>& from) {
  ddsketch out;
  out.error_ = decode_part<double>(from);
  if (out.error_ == 0) return out;
  std::uint64_t const max_buckets = take_varint(from);
  if (!log_buckets::error_possible(out.error_) || !log_buckets::number_possible(max_buckets))
    throw_corrupt_sketch("its settings cannot be");
  out.max_buckets_ = static_cast<std::uint32_t>(max_buckets);
  out.min_ = decode_part<double>(from);
  out.max_ = decode_part<double>(from);
  out.zero_ = take_varint(from);
  out.negative_ = bucket_counts::decode(from, out.max_buckets_);
  out.positive_ = bucket_counts::decode(from, out.max_buckets_);
  std::uint64_t sum = 0;
  bool const overflows =
      __builtin_add_overflow(out.negative_.total(), out.positive_.total(), &sum) || __builtin_add_overflow(sum, out.zero_, &sum);
  if (overflows || sum == 0) throw_corrupt_sketch("its counts cannot be");
  if (!std::isfinite(out.min_) || !std::isfinite(out.max_) || out.min_ > out.max_)
    throw_corrupt_sketch("its smallest and largest value cannot be");
  return out;
}

}  // namespace weir::detail
