// Three failed logins within five minutes, which lock an account for a quarter of an hour: a small state per key, and now and then a
// timer. Beside the same rule in a loop with a hash map and a queue of times.
#include "event_load.hpp"
#include "reference.hpp"

#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using namespace std::chrono_literals;

constexpr std::size_t count_of_logins = 2'500'000, count_of_accounts = 100'000;
constexpr std::int64_t minute = 60'000, span = 60 * minute, within = 5 * minute, locked_for = 15 * minute;

struct login {
  std::uint32_t account;
  bool failed;
  std::int64_t ms;
};
// An hour in order; one in eight fails.
std::vector<login>& logins() {
  static std::vector<login> all;
  if (!all.empty()) return all;
  std::mt19937_64 random(42);
  all.reserve(count_of_logins);
  for (std::size_t i = 0; i < count_of_logins; ++i) {
    std::uint64_t const x = random();
    all.push_back({static_cast<std::uint32_t>(x % count_of_accounts), x >> 61 == 0,
                   bench::load_start + static_cast<std::int64_t>(i) * span / std::int64_t{count_of_logins}});
  }
  return all;
}

// The rule itself, in both.
struct account {
  std::int64_t last = -within, before = -within;  // failures
  bool locked = false;
  bool locks(login const& l) noexcept {
    if (!l.failed || locked) return false;
    locked = l.ms - before <= within;
    before = std::exchange(last, l.ms);
    return locked;
  }
};
struct alert {
  std::uint32_t account;
  bool open;
  std::int64_t ms;
};
struct alerts {
  std::uint64_t locked = 0, opened = 0, times = 0;
  void add(alert const& a) noexcept {
    ++(a.open ? opened : locked);
    times += static_cast<std::uint64_t>(a.ms) * (a.account + 1);
  }
  bool operator==(alerts const&) const = default;
};

alerts judge_by_hand() {
  alerts sum;
  boost::unordered_flat_map<std::uint32_t, account> accounts;
  using timer = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<timer, std::vector<timer>, std::greater<>> timers;
  auto const pass = [&](std::int64_t until) {
    for (; !timers.empty() && timers.top().first < until; timers.pop()) {
      auto const [ms, who] = timers.top();
      accounts[who] = account();
      sum.add({who, true, ms});
    }
  };
  std::int64_t highest = 0;
  for (login const& l : logins()) {
    if (accounts[l.account].locks(l)) {
      sum.add({l.account, false, l.ms});
      timers.emplace(l.ms + locked_for, l.account);
    }
    if (l.ms > highest) pass(highest = l.ms);
  }
  pass(end_of_time);
  return sum;
}
void by_hand(benchmark::State& state) {
  (void)logins();
  for (auto _ : state) benchmark::DoNotOptimize(judge_by_hand());
  bench::per_element(state, count_of_logins);
}

struct three_failed_logins {
  using output = alert;
  using state = account;
  using context = process_context<std::uint32_t, alert>;
  void element(login const& l, account& a, context& c) const {
    if (!a.locks(l)) return;
    c.emit({c.key(), false, l.ms});
    c.set_timer(c.later(std::chrono::milliseconds(locked_for)));
  }
  void timer(instant at, account& a, context& c) const {
    a = account();
    c.emit({c.key(), true, at / 1'000'000});
  }
};
template <class Expiry> task<alerts> judge(Expiry expiry) {
  alerts sum;
  auto all = bench::in_chunks<login>(logins()) | event_time(bench::time_of_event, monotonic()) | key_by(&login::account) |
             process(three_failed_logins(), expiry);
  while (alert* a = co_await all.next()) sum.add(*a);
  co_return sum;
}
template <class Expiry> void run(benchmark::State& state, Expiry expiry) {
  static alerts const expected = judge_by_hand();
  for (auto _ : state)
    if (testing::run(judge(expiry)) != expected) state.SkipWithError("these are not the alerts of the loop");
  bench::per_element(state, count_of_logins);
}

BENCHMARK(by_hand)->Name("three failed logins by hand")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, kept, never_expires())->Name("three failed logins, process")->Unit(benchmark::kMillisecond);
// Where a key goes after a while, which the loop does not do.
BENCHMARK_CAPTURE(run, expiring, expire_after(15min))->Name("three failed logins, process, keys expire")->Unit(benchmark::kMillisecond);

}  // namespace
