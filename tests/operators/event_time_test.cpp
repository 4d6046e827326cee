#include <weir/operators/event_time.hpp>

#include "operators/event_time_support.hpp"

using namespace weir;
using namespace weir::test;

// --- watermarks

TEST_CASE("event_time gives each element its time, and a watermark follows the element that raised it") {
  CHECK(shown(with(each({10, 12, 11, 12, 15}), bounded_disorder(3ns))) == "10@10 w6 12@12 w8 11@11 12@12 15@15 w11 w-end");
}

TEST_CASE("monotonic times leave room for another event of the same time") {
  CHECK(shown(with(each({10, 10, 11}), monotonic())) == "10@10 w9 10@10 11@11 w10 w-end");
  CHECK(shown(with(each({10, 10, 11}), bounded_disorder(0ns))) == "10@10 w9 10@10 11@11 w10 w-end");
}

TEST_CASE("the watermark lies behind the element that raised it inside a chunk too, so windows do not depend on how chunks are cut") {
  for (std::size_t const n : {3u, 256u})
    CHECK(shown(with(feed<instant>({10, 12, 15}).chunks(n), monotonic())) == "10@10 w9 12@12 w11 15@15 w14 w-end");
  CHECK(same_for_all_chunkings<instant>({1, 8, 13, 9, 22, 23, 35}, [](stream<instant> s) { return in_tens(std::move(s)); }) ==
        "[0,10)=2 [10,20)=1 [20,30)=2 [30,40)=1");  // 13 closes [0, 10) at once: 9 is late
}

TEST_CASE("event_time over nothing says that there is no more") {
  CHECK(shown(with(each({}), monotonic())) == "w-end");
  CHECK(shown(with(each({}).stops(), monotonic())) == "stop");
}

TEST_CASE("a stream that was stopped gets no last watermark, and other marks keep their place") {
  feed<instant> in = each({10, 20}).barrier_at(1).stops();
  CHECK(shown(with(in, monotonic())) == "10@10 w9 | 20@20 w19 stop");
}

TEST_CASE("a stream that has event time already gets another: the watermarks of the old one end here") {
  feed<instant> in({100, 200});
  in.chunks(1).mark_at(1, mark::watermark(7));
  auto out = in.open_timed() | event_time(itself, monotonic());
  CHECK(shown(std::move(out)) == "100@100 w99 200@200 w199 w-end");
}

TEST_CASE("punctuated streams say their watermarks themselves") {
  auto says = [](instant x) { return x % 2 == 0 ? std::optional<instant>(x - 5) : std::nullopt; };
  CHECK(shown(with(each({11, 12, 19, 10, 20}), punctuated(says))) == "11@11 12@12 w7 19@19 10@10 20@20 w15 w-end");  // 5 < 7: no effect
  auto in_seconds = [](instant x) {
    return std::optional<std::chrono::sys_seconds>(std::chrono::sys_seconds(std::chrono::seconds(x / second)));
  };
  CHECK(shown(with(each({3 * second + 5}), punctuated(in_seconds))) == at(3 * second + 5) + " w3000000000 w-end");
}

TEST_CASE("a punctuation that is further ahead than the largest step has no effect, nor has that of a time which is not believed") {
  auto far = [](instant x) { return x == 20 ? std::optional<instant>(x + year) : std::optional<instant>(x - 1); };
  CHECK(shown(with(each({10, 20, 30}), punctuated(far))) == "10@10 w9 20@20 30@30 w29 w-end");
  auto plain = [](instant x) { return std::optional<instant>(x - 1); };
  CHECK(shown(with(each({10, year, 30}), punctuated(plain))) == "10@10 w9 " + at(year) + " 30@30 w29 w-end");
  auto ends = [](instant) { return std::optional<instant>(end_of_time); };
  CHECK(shown(with(each({10, 30}), punctuated(ends))) == "10@10 30@30 w-end");
  auto begins = [](instant) { return std::optional<instant>(start_of_time); };
  CHECK(shown(with(each({10, 30}), punctuated(begins))) == "10@10 30@30 w-end");
}

TEST_CASE("a bound is between nothing and 20 years") {
  fails_with(errc::invalid_option, [] { bounded_disorder(-1ns); }, "bounded_disorder", "its bound is -1 ns");
  fails_with(errc::invalid_option, [] { (void)bounded_disorder(ns::max()); }, "up to 20 years");
  CHECK_NOTHROW(bounded_disorder(ns(20 * year)));
}

// --- what gives the time

namespace {
struct reading {
  instant when;
  std::chrono::sys_time<std::chrono::milliseconds> stamp() const {
    return std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(when));
  }
};
std::string text(reading const& r) { return std::to_string(r.when); }
std::string one(instant when, auto extract) {
  feed<reading> in({reading{when}});
  auto out = in.chunks(1).open() | event_time(extract, bounded_disorder(0ns));
  return shown(std::move(out));
}
}  // namespace

TEST_CASE("the time comes from a member, a function, a time of the system clock of any resolution, or one that may be missing") {
  CHECK(one(5, &reading::when) == "5@5 w4 w-end");
  CHECK(one(5, &reading::stamp) == "5@5000000 w4999999 w-end");
  CHECK(one(-5, [](reading const& r) { return std::chrono::sys_seconds(std::chrono::seconds(r.when)); }) ==
        "-5@-5000000000 w-5000000001 w-end");
  using floating = std::chrono::sys_time<std::chrono::duration<double>>;
  CHECK(one(5, [](reading const&) { return floating(std::chrono::duration<double>(1.5)); }) == "5@1500000000 w1499999999 w-end");
  CHECK(one(5, [](reading const& r) { return std::optional<instant>(r.when); }) == "5@5 w4 w-end");
  CHECK(one(5, [](reading const& r) { return std::optional(r.stamp()); }) == "5@5000000 w4999999 w-end");
}

TEST_CASE("event_time takes elements that cannot be copied, and passes on the same object") {
  std::vector<std::unique_ptr<instant>> in;
  for (instant x : {10, 20}) in.push_back(std::make_unique<instant>(x));
  instant const* const first = in.front().get();
  auto out = feed(std::move(in)).open() | event_time([](std::unique_ptr<instant> const& p) { return *p; }, monotonic());
  auto const got = all_of<std::unique_ptr<instant>>(std::move(out));
  REQUIRE(got.size() == 2);
  CHECK(got[0].get() == first);
}

// --- quiet times

TEST_CASE("while a live source is quiet, event time passes like the clock") {
  CHECK(shown(with("10 ~5 ~9 40", bounded_disorder(2ns))) == "10@10 w7 w12 w16 40@40 w37 w-end");
  auto stands = live("10 ~5 ~9 40") | event_time(itself, bounded_disorder(2ns)).when_quiet(quiet_time::stands);
  CHECK(shown(std::move(stands)) == "10@10 w7 40@40 w37 w-end");
}

// 13 comes behind where 5 ns of quiet have got; the next quiet time counts from 13, not from 10.
//      10        15        20
//      |10 ~~~~~>| ~>      |
//      |     13 ~~~~>      |
TEST_CASE("a quiet time is counted from the newest element") {
  CHECK(shown(with("10 ~5 13 ~4 12 ~1 40", bounded_disorder(2ns))) == "10@10 w7 w12 13@13 w14 12@12 40@40 w37 w-end");
}

TEST_CASE("no time passes before the first element, nor beyond the year 2162, nor on a stream that says its watermarks itself") {
  CHECK(shown(with("~5 10", monotonic())) == "10@10 w9 w-end");
  CHECK(shown(with("10 ~9223372036854775807", monotonic())) == "10@10 w9 " + mark_at(detail::latest_event - 1) + " idle w-end");
  auto says = [](instant x) { return std::optional<instant>(x - 1); };
  CHECK(shown(with("10 ~5", punctuated(says))) == "10@10 w9 w-end");
}

TEST_CASE("a stream that was quiet for idle_after says that it is idle, until it has an element again") {
  auto out = live("10 ~4 ~5 20 ~1") | event_time(itself, monotonic()).idle_after(5ns);
  CHECK(shown(std::move(out)) == "10@10 w9 w13 w14 idle 20@20 w19 w20 w-end");
  auto now = live("10 ~0") | event_time(itself, monotonic()).idle_after(0ns);
  CHECK(shown(std::move(now)) == "10@10 w9 idle w-end");
}

TEST_CASE("a quiet time does not make a leap of what comes after it") {
  std::string const gap = std::to_string(3 * day), next = std::to_string(10 + 3 * day);
  CHECK(shown(with("10 ~" + gap + " " + next + " " + next, bounded_disorder(2ns))) ==
        "10@10 w7 " + mark_at(7 + 3 * day) + " idle " + at(10 + 3 * day) + " " + at(10 + 3 * day) + " w-end");
}

//      0         10        20
//      | a     a |~~~~~>   |     nothing comes: after 4 ns it is 11, which with a bound of 2 is a watermark of 8; after 6 ns 10
TEST_CASE("windows close on a quiet stream") {
  timed_stream<std::string> out = in_tens(live("1 7 ~4 ~6 ~7")) | map([](auto const& r) { return test::text(r); });
  CHECK(testing::run(show(std::move(out))) == "w-2 w4 w8 [0,10)=2@9 w10 w11 w-end");
}

// --- as every operator

TEST_CASE("event_time passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2}, {1, 2},
                              [](stream<int> s) { return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()); });
}

TEST_CASE("a function that fails to give a time ends the stream after what came before") {
  check_user_failure<int>({1, 2},
                          [](stream<int> s) { return std::move(s) | event_time([](int x) { return instant{no_three(x)}; }, monotonic()); });
  check_user_failure<int>({1, 2}, [](stream<int> s) {
    return std::move(s) |
           event_time([](int x) { return instant{x}; }, punctuated([](int x) { return std::optional<instant>(no_three(x)); }));
  });
}

TEST_CASE("event_time that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    auto time = [hook](int x) {
      hook(x);
      return instant{x};
    };
    return std::move(s) | event_time(time, monotonic());
  });
}

TEST_CASE("event_time dropped half-way destroys what it holds") {
  check_early_drop(
      [](stream<tracked> s) { return std::move(s) | event_time([](tracked const& x) { return instant{x.value()}; }, monotonic()); });
}

TEST_CASE("event_time does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()); },
                           [](std::size_t n) { return n; });
}

TEST_CASE("event_time goes on after a restart as if there had been none, in the middle of a leap too") {
  std::vector<instant> const inputs[] = {{1, 8, 13, 9, 22, 23, 35, 31},
                                         {1, year, 4, 9, year, 13, year + 5, year + 2, year + 18, 7, year + 30}};
  for (auto const& input : inputs)
    check_restored_equals_uninterrupted(input, [](stream<instant> s) { return as_text(in_tens(std::move(s))); });
}

TEST_CASE("dead elements are counted on after a restart") {
  ledger books;
  auto maybe = [](instant x) { return x == 0 ? std::nullopt : std::optional<instant>(x); };
  auto make = [&](stream<instant> s) {
    return stream<instant>(std::move(s) | event_time(maybe, monotonic()).counted_in(books, "all").bad_times_to([](instant) {}));
  };
  feed<instant> in({5, 0, 6, 0, 7});
  in.barrier_at(3);
  auto const got = testing::run(run_to(make(in.open()), in.barrier()));
  feed<instant> rest({0, 7});
  rest.restores(*got.state);
  CHECK(all_of<instant>(make(rest.open())) == std::vector<instant>{7});
  CHECK(test::text(books.sum("all")) == "in 2 = dead 2");
}

TEST_CASE("event_time refuses a checkpoint that is cut short, or has times which no run leaves there") {
  auto restored = [](std::vector<std::byte> part) {
    feed<instant> in({5});
    in.restores(whole_states({{"event_time", std::move(part)}}));
    return testing::run(drain<instant>(in.open() | event_time(itself, monotonic()))).code;
  };
  std::vector<std::byte> good;
  for (instant const t : {instant{10}, instant{10}, start_of_time, instant{9}}) encode_state(t, good);
  encode_state(tally(), good);
  CHECK(restored(good) == std::error_code());
  for (std::size_t n = 0; n != good.size(); ++n)
    CHECK(restored({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}) == errc::corrupt);
  for (std::size_t field = 0; field != 3; ++field) {
    auto bad = good;
    std::vector<std::byte> time;
    encode_state(start_of_time + 1, time);
    std::ranges::copy(time, bad.begin() + static_cast<std::ptrdiff_t>(8 * field));
    CHECK(restored(bad) == errc::corrupt);
  }
  auto unbalanced = good;
  unbalanced[32] = std::byte(1);
  CHECK(restored(unbalanced) == errc::corrupt);
}

TEST_CASE("event_time refuses options that make no sense") {
  auto op = [] { return event_time(itself, monotonic()); };
  fails_with(errc::invalid_option, [&] { (void)op().idle_after(-1ns); }, "event_time", "idle_after is -1 ns");
  fails_with(errc::invalid_option, [&] { (void)op().max_ahead(ns::max()); }, "max_ahead");
  fails_with(errc::invalid_option, [&] { (void)op().max_step(0ns); }, "max_step is 0 ns");
}

// --- explain

namespace {
task<std::vector<partition_time>> explained_chunks(timed_stream<instant> s) {
  std::vector<partition_time> out;
  while (chunk<instant> const c = co_await next_chunk(s)) out.push_back(s.explain().partitions.at(0));
  out.push_back(s.explain().partitions.at(0));
  co_return out;
}
}  // namespace

TEST_CASE("explain tells how far the input is, and whether it is read, quiet, idle or at its end") {
  timed_stream<instant> out = live("10 ~4 ~6") | event_time(itself, bounded_disorder(2ns)).partition("eu-1").idle_after(5ns);
  auto const seen = testing::run(explained_chunks(std::move(out)));
  std::vector<partition_state> states;
  std::vector<instant> highest, watermarks;
  for (partition_time const& p : seen) {
    CHECK(p.name == "eu-1");
    states.push_back(p.state);
    highest.push_back(p.highest);
    watermarks.push_back(p.watermark);
  }
  using enum partition_state;
  CHECK(states == std::vector{reading, quiet, idle, ended, ended});
  CHECK(highest == std::vector<instant>{10, 14, 16, 16, 16});
  CHECK(watermarks == std::vector<instant>{7, 11, 13, end_of_time, end_of_time});
  CHECK_FALSE(seen[0].since);
  CHECK(seen[1].since == simulated_now - 4);
  CHECK(seen[2].since == simulated_now - 6);
}
