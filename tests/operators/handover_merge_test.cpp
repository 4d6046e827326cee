// What operators kept for two partitions meets in the one that follows both, and is deleted there when it has.
#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/delivery_check.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "handover_support.hpp"
#include "support/catch.hpp"
#include "support/forwarding_store.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::keeping_in;
using test::sales::at;
using test::sales::behind;
using test::sales::in_front;
using test::sales::name_of;
using test::sales::run_once;
using test::sales::sale;
using test::sales::second;
using testing::script;

namespace {

// The first sale of each key, ten seconds behind it.
struct after_ten {
  struct state {
    instant first = 0;
  };
  using output = std::string;
  void element(sale const& s, state& of, auto& c) {
    if (of.first != 0) return;
    of.first = s.at;
    c.set_timer(s.at + 10 * second);
  }
  void timer(instant, state& of, auto& c) { c.emit(name_of(c.key(), of.first)); }
};

}  // namespace

// left   1000 ... 1018 | 1032                 its watermark closes [1000, 1010) and [1010, 1020)
// right  1001 ... 1014                        nothing
// again                   1033
TEST_CASE("where one of two merged partitions has come further in time, each window closes once") {
  script<sale> input("sales");
  input.partition("left").keys(in_front).elements({at("a", 1'000, 1), at("a", 1'018, 2), at("a", 1'032, 4)});
  input.partition("right").keys(behind).elements({at("f", 1'001, 8), at("f", 1'014, 16)});
  input.partition("again").follows({"left", "right"}).element(at("a", 1'033, 32));
  std::vector<std::string> given;
  auto const note = [&given](std::string_view where, auto const& x) {
    given.push_back(std::string(where) + " " + name_of(x.key, x.window.start) + " = " + std::to_string(x.value) + "," +
                    std::to_string(x.revision));
  };
  SECTION("tumbling, with late elements that update") {
    run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
      auto totals = std::move(timed) | tumbling_window(10s, late::update(60s)) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) note(c.partition(), *x);
    });
    CHECK(given == std::vector<std::string>{"left a@1000 = 1,0", "left a@1010 = 2,0", "right f@1000 = 8,0", "again f@1010 = 16,0",
                                            "again a@1030 = 36,0"});
  }
  SECTION("sliding") {
    run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
      auto totals = std::move(timed) | sliding_window(20s, 10s, late::drop()) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) note(c.partition(), *x);
    });
    CHECK(given == std::vector<std::string>{"left a@990 = 1,0", "left a@1000 = 3,0", "right f@990 = 8,0", "again f@1000 = 24,0",
                                            "again f@1010 = 16,0", "again a@1010 = 2,0", "again a@1020 = 36,0", "again a@1030 = 36,0"});
  }
  SECTION("sessions, with late elements that update") {
    run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
      auto totals = std::move(timed) | session_window(5s, late::update(60s)) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) note(c.partition(), *x);
    });
    CHECK(given == std::vector<std::string>{"left a@1000 = 1,0", "left a@1018 = 2,0", "right f@1001 = 8,0", "again f@1014 = 16,0",
                                            "again a@1032 = 36,0"});
  }
}

// left   1000, of which nothing passes       no watermark
// right  1001 ... 1014                        closes [1000, 1010), and leaves [1010, 1020) open
// again                   1033
TEST_CASE("where one of two merged partitions has no time yet, what the other has open goes on") {
  script<sale> input("sales");
  input.partition("left").keys(in_front).element(at("a", 1'000, 1));
  input.partition("right").keys(behind).elements({at("f", 1'001, 2), at("f", 1'014, 4)});
  input.partition("again").follows({"left", "right"}).element(at("f", 1'033, 8));
  auto const totals_by = [&input](auto windows) {
    auto const without_a = [windows](stream<sale> in, stream_context&, testing::idempotent_sink& out) -> task<> {
      auto timed = std::move(in) | filter([](sale const& s) { return s.key != "a"; }) | event_time(&sale::at, bounded_disorder(3s));
      auto totals = windows(std::move(timed) | key_by(&sale::key)) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) {
        std::string const name = name_of(x->key, x->window.start);
        std::string const value = std::to_string(x->value);
        co_await out.write(name, value);
      }
    };
    return testing::delivery_check(input, without_a);
  };
  SECTION("tumbling") {
    auto check = totals_by([](auto keyed) { return std::move(keyed) | tumbling_window(10s, late::drop()); });
    auto const report = check.expect({{"f@1000", "2"}, {"f@1010", "4"}, {"f@1030", "8"}}).run();
    INFO(report.text());
    CHECK(report.passed());
  }
  SECTION("sliding") {
    auto check = totals_by([](auto keyed) { return std::move(keyed) | sliding_window(20s, 10s, late::drop()); });
    auto const report = check.expect({{"f@990", "2"}, {"f@1000", "6"}, {"f@1010", "4"}, {"f@1020", "8"}, {"f@1030", "8"}}).run();
    INFO(report.text());
    CHECK(report.passed());
  }
}

// left   1000 1010           it is not said how far it is
// right  1001 1030!          by which [1000, 1005) and [1010, 1015) are over, where they go on
// again             1031
TEST_CASE("where one of two merged partitions has no time yet, what is over by the other's closes before there is more") {
  script<sale> input("sales");
  input.partition("left").keys(in_front).elements({at("a", 1'000, 1), at("a", 1'010, 2)});
  input.partition("right").keys(behind).elements({at("f", 1'001, 4), at("f", 1'030, -1)});
  input.partition("again").follows({"left", "right"}).element(at("f", 1'031, 8));
  auto const said = [](sale const& s) { return s.amount < 0 ? std::optional(s.at) : std::nullopt; };
  std::vector<std::string> given;
  SECTION("sessions") {
    run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | inspect([&](sale const& s) { given.push_back(name_of(s.key, s.at)); }) |
                   event_time(&sale::at, punctuated(said)) | key_by(&sale::key);
      auto totals = std::move(timed) | session_window(5s, late::drop()) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) given.push_back(std::string(c.partition()) + " " + name_of(x->key, x->window.start));
    });
    CHECK(given == std::vector<std::string>{"a@1000", "a@1010", "f@1001", "f@1030", "right f@1001", "again a@1000", "again a@1010",
                                            "f@1031", "again f@1030"});
  }
  SECTION("process") {
    run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | inspect([&](sale const& s) { given.push_back(name_of(s.key, s.at)); }) |
                   event_time(&sale::at, punctuated(said)) | key_by(&sale::key);
      auto totals = std::move(timed) | process(after_ten(), never_expires());
      while (auto* x = co_await totals.next()) given.push_back(std::string(c.partition()) + " " + *x);
    });
    CHECK(given == std::vector<std::string>{"a@1000", "a@1010", "f@1001", "f@1030", "right f@1001", "again a@1000", "f@1031"});
  }
}

TEST_CASE("what was kept for partitions that have ended is deleted, once all that go on from them have it") {
  script<sale> input("sales");
  input.partition("whole").elements({at("a", 1'000, 1), at("f", 1'001, 2)});
  input.partition("left").follows({"whole"}).keys(in_front).element(at("a", 1'002, 4));
  input.partition("right").follows({"whole"}).keys(behind).wait(1h).element(at("f", 1'003, 8));
  input.partition("again").follows({"left", "right"}).element(at("a", 1'004, 16));
  auto const held_by = [](memory_state_store& store) {
    std::vector<std::string> out;
    for (checkpoint_key const& key : testing::run(store.keys())) {
      auto const saved = testing::run(store.load(key));
      if (std::ranges::any_of(saved->entries, [](state_entry const& e) { return e.operator_id == "window"; })) out.push_back(key.partition);
    }
    return out;
  };
  using all = std::vector<std::string>;
  std::vector<std::string> given;
  auto const totals = [&given](stream<sale> in, stream_context&) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
    auto sums = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount));
    while (auto* x = co_await sums.next()) given.push_back(x->key + " " + std::to_string(x->value));
  };
  auto const store = std::make_shared<memory_state_store>();
  SECTION("without a mishap") {
    std::size_t seen = 0;
    run_once(input, store, [&](stream<sale> in, stream_context& c) -> task<> {
      auto timed = std::move(in) | inspect([&](sale const& s) {
                     if (s.amount == 8) CHECK(held_by(*store) == all{"left", "right"});
                     if (s.amount == 16) CHECK(held_by(*store) == all{"again"});
                     seen += c.partition() == "whole" ? 0 : 1;
                   }) |
                   event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
      auto sums = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount));
      while (auto* x = co_await sums.next()) given.push_back(x->key + " " + std::to_string(x->value));
    });
    CHECK(seen == 3);
  }
  SECTION("and, where that fails, with a later start") {
    bool broken = true;
    class no_lists final : public test::forwarding_store {
    public:
      no_lists(std::shared_ptr<state_store> inside, bool const& fails) noexcept : forwarding_store(std::move(inside)), fails_(fails) {}
      task<std::vector<checkpoint_listing>> list(std::string pipeline) override {
        if (fails_) throw error(errc::unavailable, "store: gone");
        return inside().list(std::move(pipeline));
      }

    private:
      bool const& fails_;
    };
    application app(keeping_in(std::make_shared<no_lists>(store, broken)));
    app.use_memory_stream(input, [&](auto& pipeline) { pipeline.use_stream(totals); });
    testing::run(app.serve());
    CHECK(held_by(*store) == all{"again", "left", "right", "whole"});
    CHECK(given == all{"a 21", "f 10"});
    broken = false;
    input.element(at("a", 1'005, 32));
    application later(keeping_in(store));
    later.use_memory_stream(input.afresh(), [&](auto& pipeline) { pipeline.use_stream(totals); });
    testing::run(later.serve());
  }
  CHECK(held_by(*store) == all{"again"});
}
