// What operators say that they hold, against what operator new has given them: between half and twice as much.
#include <weir/detail/memory_account.hpp>
#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/quantile.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/partition_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/state/list_state.hpp>
#include <weir/operators/state/map_state.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/testing/run.hpp>

#include "operators/counted_memory.hpp"
#include "support/catch.hpp"
#include "support/sanitizer.hpp"
#include "support/skip.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::detail::memory_account;

namespace {

bool cannot_count() { return test::thread_sanitizer && test::skip("ThreadSanitizer has its own operator new"); }

constexpr int some_keys = 20'000;

struct numbered {
  static numbered of(int key, instant t) { return numbered{key, t}; }
  int key;
  instant time;
};
struct lettered {
  static lettered of(int key, instant t) { return lettered{"a key of more than fifteen letters " + std::to_string(key), t}; }
  std::string key;
  instant time;
};

struct figures {
  double said = 0, had = 0;
};
std::size_t held(memory_account const& a) {
  std::size_t sum = 0;
  a.each([&sum](std::string_view, std::size_t bytes) { sum += bytes; });
  CHECK(sum == a.held());
  return sum;
}

// `n` elements of so many keys in 10 us; behind the last one it says what there is then.
template <class E> stream<E> elements(int n, int keys, figures& f, long const& before) {
  context const& own = co_await current_context();
  {
    std::vector<E> chunk;
    for (int i = 0; i < n;) {
      chunk.clear();
      for (; chunk.size() != 256 && i != n; ++i) chunk.push_back(E::of(i % keys, i % 10'000));
      co_yield std::span<E>(chunk);
    }
  }
  f.said = static_cast<double>(held(*own.memory()));
  f.had = static_cast<double>(test::bytes_in_use - before);
  co_yield mark::stop();
}

template <class E, class Build> task<figures> measured(int n, int keys, Build build) {
  memory_account account;
  figures f;
  context& own = co_await current_context();
  own.memory(&account);
  {
    long const before = test::bytes_in_use;
    auto results = build(elements<E>(n, keys, f, before));
    while (co_await results.next()) continue;
  }
  CHECK(account.held() == 0);
  own.memory(nullptr);
  co_return f;
}

template <class E, class Build> void check(std::string_view what, Build build, int per_key = 1) {
  if (cannot_count()) return;
  for (int const keys : {some_keys, some_keys * 13 / 10}) {
    figures const f = testing::run(measured<E>(keys * per_key, keys, build));
    CAPTURE(what, keys, f.said, f.had);
    CHECK(f.said >= f.had / 2);
    CHECK(f.said <= f.had * 2);
    CHECK(f.had > keys * 8);  // else it was not looked for where it is
  }
}
template <class Build> void check_both(std::string_view what, Build build, int per_key = 1) {
  check<numbered>(what, build, per_key);
  check<lettered>(what, build, per_key);
}

template <class E> auto timed_by_key(stream<E> s) { return std::move(s) | event_time(&E::time, bounded_disorder(1ms)) | key_by(&E::key); }

template <class E> stream<E> nobody() {
  co_await current_context();
  co_yield mark::stop();
}

constexpr auto in_window = [](auto window) {
  return [window]<class E>(stream<E> s) { return timed_by_key(std::move(s)) | window() | aggregate(count()); };
};

}  // namespace

TEST_CASE("windows say how much they hold", "[operators][memory]") {
  check_both("tumbling", in_window([] { return tumbling_window(1s, late::drop()); }));
  check_both("tumbling, several results", in_window([] { return tumbling_window(1s, late::update(1s), emit::on_each()); }));
  check_both("many tumbling", in_window([] { return tumbling_window(100ns, late::drop()); }), 3);
  check_both("sliding", in_window([] { return sliding_window(10us, 1us, late::drop()); }));
  check_both("session", in_window([] { return session_window(1us, late::drop()); }));
  check_both("global", in_window([] { return global_window(trigger::count(100), expire_after(1h), late::drop()); }));
}

TEST_CASE("windows say how much accumulators hold that have memory of their own", "[operators][memory]") {
  auto const all = []<class E>(stream<E> s) {
    return timed_by_key(std::move(s)) | tumbling_window(1s, late::drop()) | aggregate(collect(&E::time));
  };
  check_both("collect", all, 10);
  auto const sketches = []<class E>(stream<E> s) {
    return timed_by_key(std::move(s)) | tumbling_window(1s, late::drop()) |
           aggregate(quantile([](E const& e) { return static_cast<double>(e.time + 1); }));
  };
  check_both("quantile", sketches, 3);
}

TEST_CASE("dedup says how much its ids take", "[operators][memory]") {
  auto const ids = []<class E>(stream<E> s) { return std::move(s) | event_time(&E::time, bounded_disorder(1ms)) | dedup(&E::key, 1s); };
  check_both("dedup", ids);
}

TEST_CASE("keyed state says how much it takes", "[operators][memory]") {
  auto const scanned = []<class E>(stream<E> s) {
    return timed_by_key(std::move(s)) | scan(std::uint64_t{0}, [](std::uint64_t& n, E const&) { ++n; }, expire_after(1s));
  };
  check_both("scan", scanned);
  auto const listed = []<class E>(stream<E> s) {
    return timed_by_key(std::move(s)) |
           process<list_state<std::string>, int>([](E const&, list_state<std::string>& l, auto&) { l.add(std::string(100, '.')); },
                                                 expire_after(1s));
  };
  check_both("process with a list", listed, 3);
  auto const mapped = []<class E>(stream<E> s) {
    return timed_by_key(std::move(s)) |
           process<map_state<int, double>, int>([](E const& e, map_state<int, double>& m, auto&) { m.put(static_cast<int>(e.time), 1.0); },
                                                expire_after(1s));
  };
  check_both("process with a map", mapped, 4);
}

TEST_CASE("joins say how much they keep of their inputs", "[operators][memory]") {
  auto const left_alone = [](auto join) {
    return [join]<class E>(stream<E> s) {
      stream<E> nothing = nobody<E>();
      return join(timed_by_key(std::move(s)), timed_by_key(std::move(nothing)));
    };
  };
  auto const interval_joined =
      left_alone([](auto l, auto r) { return interval_join(std::move(l), std::move(r), interval(-1s, 1s), late::drop()); });
  check_both("interval_join", interval_joined, 3);
  auto const as_of_joined = left_alone([](auto l, auto r) { return as_of_join(std::move(r), std::move(l), 1s, late::drop()); });
  check_both("as_of_join", as_of_joined, 3);
}

TEST_CASE("what waits for more of its kind is counted", "[operators][memory]") {
  check_both("window(n)", []<class E>(stream<E> s) { return std::move(s) | window(1'000'000); });
  check_both("batch", []<class E>(stream<E> s) { return std::move(s) | batch(1'000'000); });
  check_both("partition_by", []<class E>(stream<E> s) { return std::move(s) | partition_by(&E::key); }, 2);
}
