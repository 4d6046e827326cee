#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <mutex>
#include <optional>

namespace weir::aws::detail {

// How many requests a client sends in a second, in adaptive mode: without limit until an answer says "slow down", from then on as a token
// bucket lets them, whose rate falls to seven tenths of what was sent, and rises again on a cubic curve, at most to twice of what is sent.
// From any strand; times that run backwards count as none.
// Source: the client-side rate limiting of the AWS SDKs' adaptive mode, which they share; CUBIC is RFC 9438, section 4.
class sending_rate {
public:
  // A request that may be sent, after so long. One that is not sent lets another one be, in its place.
  class turn {
  public:
    turn(sending_rate& of, instant now) : of_(of), wait_(of.acquire(now, counted_)) {}
    turn(turn const&) = delete;
    turn& operator=(turn const&) = delete;
    ~turn() {
      if (counted_) of_.give_back();
    }
    std::chrono::nanoseconds wait() const noexcept { return wait_; }
    void sent() noexcept { counted_ = false; }

  private:
    sending_rate& of_;
    bool counted_ = false;
    std::chrono::nanoseconds const wait_;
  };

  // An answer came, which says "slow down" or does not.
  void answered(bool throttled, instant now);
  // Requests in a second: sent, and allowed (0: all).
  double measured() const;
  double allowed() const;

private:
  std::chrono::nanoseconds acquire(instant now, bool& counted);
  void give_back();
  double seconds(instant now);
  void refill(double t);
  void measure(double t);
  void allow(double rate, double t);
  double curve_at(double t) const;

  mutable std::mutex lock_;
  std::optional<instant> start_;
  double last_ = 0;  // seconds behind the start, as all times here
  bool limited_ = false;
  double rate_ = 0, most_tokens_ = 0, tokens_ = 0;
  std::optional<double> filled_;
  double measured_ = 0, half_ = 0;  // requests in a second, and the half second they are counted from
  unsigned sent_ = 0;
  double highest_ = 0, fell_ = 0;  // the rate before it last fell, and when that was
};

}  // namespace weir::aws::detail
