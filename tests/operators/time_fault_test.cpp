#include <weir/operators/event_time.hpp>
#include <weir/operators/time_fault.hpp>
#include <weir/testing/script.hpp>

#include "operators/event_time_support.hpp"

#include <limits>

using namespace weir;
using namespace weir::test;

// --- elements that cannot be placed in time

TEST_CASE("times before the epoch are times like any other") {
  CHECK(shown(with(each({-20, -10, 0}), monotonic())) == "-20@-20 w-21 -10@-10 w-11 0@0 w-1 w-end");
}

TEST_CASE("an element without a time fails the stream, after what came before") {
  auto maybe = [](int x) { return x == 3 ? std::nullopt : std::optional<instant>(x); };
  for (std::size_t const n : chunkings) {
    auto out = feed<int>({1, 2, 3, 4}).chunks(n).open() | event_time(maybe, monotonic()).partition("eu-1");
    auto const got = testing::run(drain<int>(std::move(out)));
    CHECK(got.values == std::vector{1, 2});
    CHECK(got.code == errc::out_of_range);
    CHECK(got.failure ==
          "event_time: cannot place an element in time (partition eu-1): it has no event time; set such elements aside "
          "with bad_times_to(f)");
  }
}

TEST_CASE("times before 1777 and after 2162 fail the stream: so does what no int64 of nanoseconds can hold") {
  for (instant const t : {start_of_time, start_of_time + 1, detail::earliest_event - 1, detail::latest_event + 1, end_of_time}) {
    CAPTURE(t);
    auto const got = testing::run(drain<instant>(with(each({5, t}), monotonic())));
    CHECK(got.values == std::vector<instant>{5});
    CHECK(got.code == errc::out_of_range);
    CHECK(got.failure.find("outside the years 1777 to 2162") != std::string::npos);
  }
  using seconds = std::chrono::sys_seconds;
  using floating = std::chrono::sys_time<std::chrono::duration<double>>;
  double const infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto fails = [](auto t) {
    auto out = feed<int>({1}).open() | event_time([t](int) { return t; }, monotonic());
    CHECK(testing::run(drain<int>(std::move(out))).code == errc::out_of_range);
  };
  fails(seconds::max());
  fails(seconds::min());
  fails(seconds(std::chrono::seconds(10'000'000'000)));
  for (double const t : {1e300, -1e300, infinite, -infinite, nan, 9223372036.8547758}) fails(floating(std::chrono::duration<double>(t)));
  CHECK(shown(with(each({detail::earliest_event}), bounded_disorder(ns(20 * year)))) ==
        at(detail::earliest_event) + " " + mark_at(detail::earliest_event - 20 * year - 1) + " w-end");
}

TEST_CASE("elements that cannot be placed are given away with their fault, counted as dead, and done") {
  for (std::size_t const n : chunkings) {
    ledger books;
    std::vector<std::string> bad;
    auto maybe = [](instant x) { return x == 0 ? std::nullopt : std::optional<instant>(x); };
    auto gives = [&bad](instant x, time_fault f) { bad.push_back(std::to_string(x) + " " + std::string(to_string(f))); };
    feed<instant> in({5, 0, end_of_time, simulated_now + 2 * day, 6});
    auto out = in.chunks(n).open() | event_time(maybe, monotonic()).counted_in(books, "all").bad_times_to(gives);
    CHECK(all_of<instant>(std::move(out)) == std::vector<instant>{5, 6});
    CHECK(bad == std::vector<std::string>{"0 has no event time",
                                          std::to_string(end_of_time) + " has an event time outside the years 1777 to 2162",
                                          std::to_string(simulated_now + 2 * day) + " has an event time too far ahead of the clock"});
    CHECK(text(books.sum("all")) == "in 3 = dead 3");
  }
}

TEST_CASE("the function for bad times may take the element alone and move from it; when it throws the stream fails") {
  std::vector<std::string> bad;
  auto never = [](std::string const& x) { return x == "bad" ? std::nullopt : std::optional<instant>(1); };
  auto out = feed<std::string>({"good", "bad"}).open() |
             event_time(never, monotonic()).bad_times_to([&bad](std::string& x) { bad.push_back(std::move(x)); });
  CHECK(all_of<std::string>(std::move(out)) == std::vector<std::string>{"good"});
  CHECK(bad == std::vector<std::string>{"bad"});
  check_user_failure<int>({1, 2}, [](stream<int> s) {
    return std::move(s) |
           event_time([](int x) { return x == 3 ? std::nullopt : std::optional<instant>(x); }, monotonic()).bad_times_to([](int x) {
             no_three(x);
           });
  });
}

TEST_CASE("an element may be as far ahead of the clock as max_ahead says, by default a day") {
  CHECK(all_of<instant>(with(each({simulated_now + day}), monotonic())).size() == 1);
  auto const got = testing::run(drain<instant>(with(each({simulated_now + day + 1}), monotonic())));
  CHECK(got.code == errc::out_of_range);
  CHECK(got.failure ==
        "event_time: cannot place an element in time: it has an event time too far ahead of the clock: "
        "2024-01-02T00:00:00.000000001Z is more than 86400000000000 ns ahead of 2024-01-01T00:00:00Z; raise max_ahead, or "
        "set such elements aside with bad_times_to(f)");
  auto hour = [](instant ahead) {
    auto out = each({simulated_now + ahead}).open() | event_time(itself, monotonic()).max_ahead(1h);
    return testing::run(drain<instant>(std::move(out))).code;
  };
  CHECK(hour(day / 24) == std::error_code());
  CHECK(hour(day / 24 + 1) == errc::out_of_range);
  auto never_ahead = each({simulated_now, simulated_now + 1}).open() | event_time(itself, monotonic()).max_ahead(0ns);
  CHECK(testing::run(drain<instant>(std::move(never_ahead))).values.size() == 1);
}

TEST_CASE("the clock's time counts when the element comes, not when the stream began") {
  testing::script<instant> source;
  source.element(simulated_now).wait(48h).element(simulated_now + 3 * day).element(simulated_now + 3 * day + 1);
  auto out = source.play() | event_time(itself, monotonic());
  auto const got = testing::run(drain<instant>(std::move(out)));
  CHECK(got.values.size() == 2);
  CHECK(got.code == errc::out_of_range);
}

// --- leaps: one record a year ahead closes nothing

TEST_CASE("an element further ahead of the highest time than max_step is passed on but not believed") {
  CHECK(shown(with(each({100, year, 200}), monotonic())) == "100@100 w99 " + at(year) + " 200@200 w199 w-end");
  CHECK(shown(with(each({100, 100 + day, 100 + 2 * day + 1}), monotonic())) ==
        "100@100 w99 " + at(100 + day) + " " + mark_at(99 + day) + " " + at(100 + 2 * day + 1) + " w-end");
}

TEST_CASE("a leap is believed when the next element agrees, and then the lower of the two") {
  CHECK(shown(with(each({100, year + 7, year, year + 8}), monotonic())) ==
        "100@100 w99 " + at(year + 7) + " " + at(year) + " " + mark_at(year - 1) + " " + at(year + 8) + " " + mark_at(year + 7) + " w-end");
  // Two that are a leap away from each other as well: the higher one waits for the next.
  CHECK(shown(with(each({100, 9 * year, year, year + 8, 9 * year}), monotonic())) == "100@100 w99 " + at(9 * year) + " " + at(year) + " " +
                                                                                         mark_at(year - 1) + " " + at(year + 8) + " " +
                                                                                         mark_at(year + 7) + " " + at(9 * year) + " w-end");
}

TEST_CASE("records a year ahead with ordinary ones between them are never believed, also when these are out of order") {
  for (instant const between : {instant{300}, instant{200}, instant{50}}) {
    CAPTURE(between);
    auto out = with(each({100, 200, year, between, year + 1, between, year + 2}), monotonic());
    std::string const rises = between == 300 ? " w299 " : " ";
    CHECK(shown(std::move(out)) == "100@100 w99 200@200 w199 " + at(year) + " " + at(between) + rises + at(year + 1) + " " + at(between) +
                                       " " + at(year + 2) + " w-end");
  }
}

TEST_CASE("the largest step is an option; the first element of all is believed") {
  auto out = each({year, year + 10, year + 21, year + 22}).open() | event_time(itself, monotonic()).max_step(10ns);
  CHECK(shown(std::move(out)) == at(year) + " " + mark_at(year - 1) + " " + at(year + 10) + " " + mark_at(year + 9) + " " + at(year + 21) +
                                     " " + at(year + 22) + " " + mark_at(year + 20) + " w-end");
}

//      0         10                         a year
//      |a  b   a |   a      ...             |x
TEST_CASE("one record a year ahead closes no windows, and after a true gap nothing is lost") {
  auto run = [](std::vector<instant> xs) { return same_for_all_chunkings(xs, [](stream<instant> s) { return in_tens(std::move(s)); }); };
  instant const later = year - year % 10;
  std::string const window = "[" + std::to_string(later) + "," + std::to_string(later + 10) + ")=";
  CHECK(run({1, later, 4, 9, 13}) == "[0,10)=3 [10,20)=1 " + window + "1");
  CHECK(run({1, later, later + 1, later + 13}) ==
        "[0,10)=1 " + window + "2 [" + std::to_string(later + 10) + "," + std::to_string(later + 20) + ")=1");
}
