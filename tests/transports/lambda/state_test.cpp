// What operators keep from one invocation to the next.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/kinesis/sequence_number.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/lambda_events.hpp>

#include "made_events.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"
#include "support/forwarding_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::record;
using test::kinesis_event;
using test::reports;
using test::simulated_function;

namespace {

// A record with the number n is of second n.
struct tick {
  explicit tick(record const& r) : number(std::stoi(std::string(r.payload()))), time(number * std::int64_t{1'000'000'000}) {}
  int number;
  instant time;
};
struct counted {
  std::int64_t start;  // s
  std::uint64_t count;
  friend bool operator==(counted const&, counted const&) = default;
};

// Counts the records of each ten seconds; throws at `refused`, once.
struct counting {
  std::vector<counted> results;
  int refused = 0;

  task<> run(stream<record> records) {
    auto const read = [this](record const& r) {
      tick t(r);
      if (t.number == refused) {
        refused = 0;
        throw std::runtime_error("not this one");
      }
      return t;
    };
    auto counts = std::move(records) | map(read) | event_time(&tick::time, bounded_disorder(0s)) | key_by([](tick const&) { return 1; }) |
                  tumbling_window(10s, late::drop()) | aggregate(count());
    while (auto const* const c = co_await counts.next()) results.push_back({c->window.start / 1'000'000'000, c->value});
  }
};
auto with(counting& c) {
  return [&c](auto& events) {
    events.use_kinesis_stream({}, [&c](auto& pipeline) {
      pipeline.use_stream([&c](stream<record> records, stream_context&) { return c.run(std::move(records)); });
    });
  };
}

// The same event in a tumbling window of the mapping.
std::string in_window(std::string event, std::string const& state, bool last = false) {
  event.pop_back();
  return event + R"(,"window":{"start":"2020-12-09T07:04:00Z","end":"2020-12-09T07:06:00Z"},"state":)" + state +
         R"(,"shardId":"shardId-000000000006","eventSourceARN":")" + std::string(test::ticks_arn) + R"(","isFinalInvokeForWindow":)" +
         (last ? "true" : "false") + R"(,"isWindowTerminatedEarly":false})";
}
std::string state_in(std::string const& answer) {
  auto const begin = answer.find(R"("state":)") + 8;
  return answer.substr(begin, answer.find('}', begin) + 1 - begin);
}
using counts = std::vector<counted>;

// A store that takes 400 ms to write.
class slow_store final : public test::forwarding_store {
public:
  using forwarding_store::forwarding_store;
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    co_await sleep_for(400ms);
    task<> committing = inside().commit(std::move(key), std::move(update));
    co_await std::move(committing);
  }
};

}  // namespace

TEST_CASE("a handler that keeps state is refused where nobody keeps it", "[lambda][state]") {
  simulated_function f;
  counting c;
  f.service->invoke(kinesis_event({101, 102}));
  f.run(with(c));
  CHECK(f.service->replies.at(0) == reports({"101"}));
  CHECK(f.has_said("the handler keeps state"));
  CHECK(f.has_said("give settings.checkpoints a store"));
}

TEST_CASE("with checkpoints a window goes on over invocations", "[lambda][state]") {
  // s        100            110
  // batches  | 101..105 | 106..112
  simulated_function f;
  counting c;
  f.with.checkpoints = std::make_shared<memory_state_store>();
  f.service->invoke(kinesis_event({101, 102, 103, 104, 105}));
  f.service->invoke(kinesis_event({106, 107, 108, 109, 110, 111, 112}));
  f.run(with(c));
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[0] == reports({}));
  CHECK(f.service->replies[1] == reports({}));
  CHECK(c.results == counts{{100, 9}});
}

TEST_CASE("what a checkpoint says is done is left out when it comes again", "[lambda][state]") {
  simulated_function f;
  counting c;
  f.with.checkpoints = std::make_shared<memory_state_store>();
  f.service->invoke(kinesis_event({101, 102, 103, 104, 105}));
  f.service->invoke(kinesis_event({101, 102, 103, 104, 105}));  // the answer was lost
  f.service->invoke(kinesis_event({104, 105, 106, 111}));
  f.run(with(c));
  for (auto const& r : f.service->replies) CHECK(r == reports({}));
  CHECK(c.results == counts{{100, 6}});
  CHECK(std::ranges::count_if(f.said, [](std::string const& s) { return s.starts_with("warning: lambda: records are left out"); }) == 2);
}

TEST_CASE("a batch that fails goes on from the last checkpoint, and counts nothing twice", "[lambda][state]") {
  simulated_function f;
  counting c;
  c.refused = 104;
  f.with.checkpoints = std::make_shared<memory_state_store>();
  f.with.commit.records = 1;
  f.service->invoke(kinesis_event({101, 102, 103, 104, 105}));
  f.service->more = [&, sent = false]() mutable -> std::optional<std::string> {
    if (std::exchange(sent, true)) return std::nullopt;
    return kinesis_event({104, 105, 111});
  };
  f.run(with(c));
  CHECK(f.service->replies.at(0) == reports({"104"}));
  CHECK(f.service->replies.at(1) == reports({}));
  CHECK(c.results == counts{{100, 5}});
}

TEST_CASE("what was done when the time is up is committed, also where the commit was cancelled with the rest", "[lambda][state]") {
  // s  0     2     2.3    2.5        2.9        3
  //    | 101 stop  commit cancelled  committed  deadline
  simulated_function f;
  f.how.margin = 1s;
  auto const kept = std::make_shared<memory_state_store>();
  f.with.checkpoints = std::make_shared<slow_store>(kept);
  f.service->invoke(kinesis_event({101, 102, 103}), 3s);
  f.run([](auto& events) {
    events.use_kinesis_stream({}, [](auto& pipeline) {
      pipeline.use_stream([](stream<record> records, stream_context&) -> task<> {
        while (co_await records.next()) co_await sleep_for(2300ms);
      });
    });
  });
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0] == reports({"102"}));
  CHECK(*f.service->replies[0].deadline - f.service->replies[0].at == 100'000'000);
  auto const listed = testing::run(kept->list("test/kinesis"));
  REQUIRE(listed.size() == 1);
  CHECK(kinesis::sequence_number_of(listed[0].head.position) == "101");
}

TEST_CASE("a tumbling window of the mapping carries what operators keep, and closes it", "[lambda][state]") {
  simulated_function f;
  counting c;
  f.service->invoke(in_window(kinesis_event({101, 102}), "{}"));
  f.service->more = [&]() -> std::optional<std::string> {
    auto const& replies = f.service->replies;
    if (replies.size() == 1) return in_window(kinesis_event({103, 111}), state_in(replies.back().text));
    if (replies.size() == 2) return in_window(R"({"Records":[]})", state_in(replies.back().text), true);
    if (replies.size() == 3) return in_window(kinesis_event({112}), "{}", true);  // of the next window
    return std::nullopt;
  };
  f.run(with(c));
  REQUIRE(f.service->replies.size() == 4);
  for (auto const& r : f.service->replies) {
    CHECK_FALSE(r.failed);
    CHECK(r.text.find(R"("batchItemFailures":[])") != std::string::npos);
  }
  CHECK(c.results == counts{{100, 3}, {110, 1}, {110, 1}});
  CHECK(f.service->replies[0].text.find(R"("state":{"weir":")") != std::string::npos);
}

TEST_CASE("what fails in a window is not in its state", "[lambda][state]") {
  simulated_function f;
  counting c;
  c.refused = 103;
  f.with.commit.records = 1;
  f.service->invoke(in_window(kinesis_event({101, 102, 103, 104}), "{}"));
  f.service->more = [&]() -> std::optional<std::string> {
    auto const& replies = f.service->replies;
    if (replies.size() == 1) return in_window(kinesis_event({102, 103, 104}), state_in(replies.back().text));
    if (replies.size() == 2) return in_window(R"({"Records":[]})", state_in(replies.back().text), true);
    return std::nullopt;
  };
  f.run(with(c));
  // It came in one chunk with 102, so that the last checkpoint is that of 101.
  CHECK(f.service->replies.at(0).text.find(R"({"itemIdentifier":"102"})") != std::string::npos);
  CHECK(c.results == counts{{100, 4}});
}

TEST_CASE("a window's end that fails is not taken for done", "[lambda][state]") {
  simulated_function f;
  bool thrown = false;
  f.service->invoke(in_window(kinesis_event({101, 102}), "{}"));
  f.service->more = [&]() -> std::optional<std::string> {
    auto const& replies = f.service->replies;
    if (replies.size() == 1) return in_window(R"({"Records":[]})", state_in(replies.back().text), true);
    return std::nullopt;
  };
  f.run([&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<record> records, stream_context&) -> task<> {
        auto all = std::move(records) | map([](record const& r) { return tick(r); }) | event_time(&tick::time, bounded_disorder(0s)) |
                   key_by([](tick const&) { return 1; }) | tumbling_window(10s, late::drop()) | aggregate(count());
        while (co_await all.next()) {
          thrown = true;
          throw std::runtime_error("cannot be written");
        }
      });
    });
  });
  CHECK(thrown);
  REQUIRE(f.service->replies.size() == 2);
  CHECK(f.service->replies[1].failed);
  CHECK(f.service->replies[1].message.find("cannot be written") != std::string::npos);
}

TEST_CASE("a window whose state is more than the mapping carries fails, and says which it is", "[lambda][state]") {
  simulated_function f;
  // Keys are in the state: 300 kB each, as base64 400.
  auto const event = [](int keys) {
    testing::kinesis_event out(std::string(test::ticks_arn), "shardId-000000000006");
    for (int n = 0; n != keys; ++n) out.record(std::string(300'000, static_cast<char>('a' + n)));
    return in_window(out.json(), "{}");
  };
  for (int const keys : {1, 2, 3}) f.service->invoke(event(keys));
  f.run([](auto& events) {
    events.use_kinesis_stream({}, [](auto& pipeline) {
      pipeline.use_stream([](stream<record> records, stream_context&) -> task<> {
        auto all = std::move(records) | event_time(&record::arrival, bounded_disorder(0s)) |
                   key_by([](record const& r) { return std::string(r.payload()); }) | tumbling_window(1h, late::drop()) |
                   aggregate(count());
        while (co_await all.next()) {}
      });
    });
  });
  auto const& replies = f.service->replies;
  REQUIRE(replies.size() == 3);
  CHECK_FALSE(replies[0].failed);
  CHECK_FALSE(replies[1].failed);
  CHECK(f.has_said("warning: lambda: the state of a window has 80"));
  REQUIRE(replies[2].failed);
  for (char const* const part :
       {"cannot hand on the state of a window", "it has 120", "may have 1000000", "pipeline test/kinesis", "partition shardId-000000000006",
        "window 2020-12-09T07:04:00Z to 2020-12-09T07:06:00Z", "have fewer keys in a window"}) {
    INFO(part << " in " << replies[2].message);
    CHECK(replies[2].message.find(part) != std::string::npos);
  }
}

TEST_CASE("a state that is somebody else's is not gone on with", "[lambda][state]") {
  simulated_function f;
  counting c;
  for (std::string const state : {R"({"1":"state 1"})", R"({"weir":"*"})", R"({"weir":"AAAA"})"})
    f.service->invoke(in_window(kinesis_event({101}), state));
  f.run(with(c));
  REQUIRE(f.service->replies.size() == 3);
  for (auto const& r : f.service->replies) CHECK(r.failed);
  CHECK(f.service->replies[0].message.find("none of this program's") != std::string::npos);
  CHECK(f.service->replies[1].message.find("no base64") != std::string::npos);
  CHECK(c.results.empty());
}
