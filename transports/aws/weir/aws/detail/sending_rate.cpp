#include <weir/aws/detail/sending_rate.hpp>

#include <algorithm>
#include <cmath>

namespace weir::aws::detail {
namespace {
constexpr double least_rate = 0.5, least_tokens = 1, smooth = 0.8, beta = 0.7, scale = 0.4;
}

double sending_rate::seconds(instant now) {
  if (!start_) start_ = now;
  last_ = std::max(last_, static_cast<double>(now - *start_) * 1e-9);
  return last_;
}

void sending_rate::refill(double t) {
  if (filled_) tokens_ = std::min(most_tokens_, tokens_ + (t - *filled_) * rate_);
  filled_ = t;
}

std::chrono::nanoseconds sending_rate::acquire(instant now, bool& counted) {
  std::lock_guard const held(lock_);
  double const t = seconds(now);
  counted = limited_;
  if (!limited_) return {};
  refill(t);
  tokens_ -= 1;  // below zero it is owed by who waits
  if (tokens_ >= 0) return {};
  return std::chrono::nanoseconds(static_cast<std::chrono::nanoseconds::rep>(std::min(-tokens_ / rate_, 1e9) * 1e9));
}

void sending_rate::give_back() {
  std::lock_guard const held(lock_);
  tokens_ = std::min(most_tokens_, tokens_ + 1);
}

void sending_rate::measure(double t) {
  ++sent_;
  double const half = std::floor(t * 2) / 2;
  if (half <= half_) return;
  measured_ = sent_ / (half - half_) * smooth + measured_ * (1 - smooth);
  sent_ = 0;
  half_ = half;
}

double sending_rate::curve_at(double t) const {
  double const turn = std::cbrt(highest_ * (1 - beta) / scale);
  return scale * std::pow(t - fell_ - turn, 3) + highest_;
}

void sending_rate::allow(double rate, double t) {
  refill(t);
  rate_ = std::max(rate, least_rate);
  most_tokens_ = std::max(rate, least_tokens);
  tokens_ = std::min(tokens_, most_tokens_);
}

void sending_rate::answered(bool throttled, instant now) {
  std::lock_guard const held(lock_);
  double const t = seconds(now);
  measure(t);
  double wanted = 0;
  if (throttled) {
    highest_ = limited_ ? std::min(measured_, rate_) : measured_;
    fell_ = t;
    wanted = highest_ * beta;
    limited_ = true;
  } else {
    wanted = curve_at(t);
  }
  allow(std::min(wanted, 2 * measured_), t);
}

double sending_rate::measured() const {
  std::lock_guard const held(lock_);
  return measured_;
}

double sending_rate::allowed() const {
  std::lock_guard const held(lock_);
  return rate_;
}

}  // namespace weir::aws::detail
