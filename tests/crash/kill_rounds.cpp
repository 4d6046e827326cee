#include "crash/kill_rounds.hpp"

#include "support/catch.hpp"
#include "support/sanitizer.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>

namespace weir::test {
namespace {

using clock = std::chrono::steady_clock;

// LeakSanitizer does not work under ptrace.
constexpr bool can_look_at_calls = !address_sanitizer;

bool writes_outside(long call) {
  for (long const c : {SYS_fdatasync, SYS_fsync, SYS_pwrite64, SYS_sendto, SYS_sendmsg, SYS_ftruncate, SYS_unlink})
    if (call == c) return true;
  return false;
}

// When to kill.
class moments {
public:
  moments(std::uint32_t seed, std::chrono::microseconds length, std::vector<long> const& calls) : dice_(seed), length_(length) {
    for (std::size_t i = 0; i != calls.size(); ++i)
      if (writes_outside(calls[i])) writes_.push_back(static_cast<long>(i) + 1);
  }
  disturbance next() {
    disturbance how;
    how.signal = SIGKILL;
    if (!writes_.empty() && one_of(2) == 0)
      how.kill_at_call = std::max(1L, writes_[one_of(writes_.size())] - 1 + static_cast<long>(one_of(4)));
    else how.after = std::chrono::microseconds(one_of(static_cast<std::size_t>(length_.count()) + 1));
    return how;
  }
  // Whether a program that was killed is killed again.
  bool again() { return one_of(2) == 0; }

private:
  std::size_t one_of(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(dice_); }

  std::mt19937 dice_;
  std::chrono::microseconds length_;
  std::vector<long> writes_;  // the numbers of such calls
};

std::uint32_t seed_wanted() {
  char const* const given = std::getenv("WEIR_CRASH_SEED");
  return given && *given ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : std::random_device()();
}

ending run(victim const& v, place const& in, disturbance const& how = {}) {
  return run_program(v.program, v.arguments(in), in.folder(), how);
}

std::string told(disturbance const& how) {
  if (how.kill_at_call != 0) return "call " + std::to_string(how.kill_at_call);
  return std::to_string(how.after->count()) + " us";
}

bool more_rounds(int done, clock::duration passed) {
  constexpr int by_default = 10, least = 3;
  constexpr std::chrono::seconds longest(30);
  char const* const given = std::getenv("WEIR_CRASH_ROUNDS");
  if (given && *given) return done < std::atoi(given);
  return done < least || (done < by_default && passed < longest);
}

// One round: killed once, perhaps again, then left alone.
void round(victim const& v, moments& when, kill_report& report) {
  auto const in = v.fresh();
  std::string story;
  for (int kills = 0; kills != 4; ++kills) {
    disturbance const how = when.next();
    ending const e = run(v, *in, how);
    story += told(how) + (e.signal == SIGKILL ? ": killed\n" : ": ended before\n");
    if (e.signal != SIGKILL) {
      INFO(story << e.err);
      REQUIRE(e.exit_code == 0);
      break;
    }
    ++report.kills;
    if (how.kill_at_call != 0) ++report.at_commits;
    auto const left = in->rows(v.select);
    if (!left.empty() && left != report.calm) ++report.half_way;
    if (!when.again()) break;
  }
  ending const last = run(v, *in);
  INFO(story << last.err);
  REQUIRE(last.exit_code == 0);
  auto const found = in->rows(v.select);
  CHECK(found.size() == report.calm.size());
  REQUIRE((found == report.calm));
  v.check_more(*in);
}

}  // namespace

kill_report kill_and_compare(std::string const& what, victim const& v) {
  kill_report report;
  std::uint32_t const seed = seed_wanted();
  INFO(what << ", WEIR_CRASH_SEED=" << seed);
  std::chrono::microseconds length(0);
  {
    auto const calm = v.fresh();
    auto const begin = clock::now();
    ending const e = run(v, *calm);
    INFO(e.err);
    REQUIRE(e.exit_code == 0);
    length = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - begin);
    report.calm = calm->rows(v.select);
    v.check_more(*calm);
    REQUIRE(run(v, *calm).exit_code == 0);
    REQUIRE(calm->rows(v.select) == report.calm);
  }
  std::vector<long> calls;
  if (can_look_at_calls) {
    auto const looked_at = v.fresh();
    disturbance never;
    never.kill_at_call = 1'000'000'000;
    calls = run(v, *looked_at, never).calls;
  }
  moments when(seed, length, calls);
  auto const first = clock::now();
  for (; more_rounds(report.rounds, clock::now() - first); ++report.rounds) {
    INFO("round " << report.rounds);
    round(v, when, report);
  }
  auto const took = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - first).count();
  std::cout << what << ": WEIR_CRASH_SEED=" << seed << ", a calm run " << length.count() / 1'000 << " ms; " << report.rounds
            << " rounds of " << took / std::max(1, report.rounds) << " ms, " << report.kills << " kills, " << report.half_way
            << " of them half-way, " << report.at_commits << " around writes\n";
  return report;
}

}  // namespace weir::test
