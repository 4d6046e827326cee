#pragma once

#include "alert.hpp"
#include "login.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace fraud {

/// What the built-in logins are made of. The same values give the same logins, on every machine.
struct scenario {
  std::uint32_t accounts = 10'000;                 ///< 1 to 1,000,000
  std::uint32_t rate = 10;                         ///< logins per second of event time over all accounts, 1 to 1,000,000
  std::uint32_t every = 500;                       ///< after so many honest logins something is planted, >= 1
  std::int64_t disorder = 5'000'000'000;           ///< logins arrive up to so long (ns, >= 0) after they happened
  std::uint64_t seed = 42;                         ///< any number
  std::int64_t start = 1'735'828'200'000'000'000;  ///< event time of the beginning, ns since the epoch (2025-01-02 14:30 UTC)
};

/// Logins of honest people, with frauds planted among them, in order of arrival.
///
/// Honest people log in from about one place, and mistype a password now and then, never so often that it looks like fraud. Planted are, in
/// turn: three failed logins within five minutes, a login thousands of km away within the hour, and what only nearly is a fraud: two failed
/// logins, three over more than five minutes, a journey around half of the world in a day. `frauds()` says which are frauds under the
/// standard `rules`, so that a test, or a reader, can compare.
///
/// Endless; memory for the accounts, and for what was planted. Made with integers only; times are whole ms. Not thread-safe.
class login_generator {
public:
  /// Errors: `std::invalid_argument` when a field of `s` is outside its range.
  explicit login_generator(scenario s);

  /// The next login to arrive.
  login next();

  /// The alerts that the logins which have arrived so far give rise to.
  std::vector<alert> frauds() const;

private:
  struct person {
    place home;
    std::int64_t quiet_until = 0;  // honest logins before would make of what was planted something else
    std::int64_t may_fail = 0;     // the earliest time of the next mistyped password
  };
  struct event {
    std::int64_t arrival;
    std::uint64_t number;  // of equal arrivals the first made comes first
    std::size_t fraud;     // the place in `planted_` of what it is a part of, or `none`
    login what;
    bool operator>(event const& o) const noexcept { return arrival != o.arrival ? arrival > o.arrival : number > o.number; }
  };
  struct planted {
    std::uint32_t to_come;  // logins that have not arrived
    alert what;
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::int64_t draw(std::int64_t below) noexcept { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(below)); }
  void make_some();
  void make_honest(std::uint32_t account, std::int64_t time);
  void plant(std::uint32_t account, std::int64_t time);
  void plant_failures(std::uint32_t account, std::vector<std::int64_t> const& times);
  void plant_travel(std::uint32_t account, std::int64_t time, std::int64_t duration);
  std::size_t announce(std::uint32_t logins, alert what);
  void add(std::uint32_t account, std::int64_t time, place from, bool success, std::size_t fraud);

  scenario scenario_;
  std::mt19937_64 random_;  // its sequence is a part of the C++ standard, that of distributions is not
  std::vector<person> people_;
  std::priority_queue<event, std::vector<event>, std::greater<>> waiting_;
  std::vector<planted> planted_;
  std::int64_t now_;
  std::uint64_t made_ = 0, honest_ = 0;
  std::uint32_t kind_ = 0;
};

}  // namespace fraud
