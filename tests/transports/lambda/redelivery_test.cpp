// A service that delivers what a function reports as not done again, as an event source mapping does (retries without end, no bisecting).
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/memory_state_store.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/sleep.hpp>

#include "made_events.hpp"
#include "properties/dice.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::record;
using test::dice;
using test::kinesis_event;
using test::simulated_function;

namespace {

constexpr int first = 101, last = 160;

// A shard, read by a mapping.
class mapping {
public:
  mapping(dice& d, bool loses_answers) : dice_(d), loses_answers_(loses_answers) {}

  // What the function is invoked with next, after its last reply. A failure, and an answer that is lost: the same again.
  std::optional<std::string> next(std::vector<test::heard_reply> const& replies) {
    REQUIRE(replies.size() < 10'000);
    if (!replies.empty() && !replies.back().failed && !(loses_answers_ && dice_.upto(3) == 0)) take(replies.back().text);
    if (at_ > last) return std::nullopt;
    end_ = std::min(last, at_ + dice_.upto(9));
    std::vector<int> batch;
    for (int n = at_; n <= end_; ++n) batch.push_back(n);
    return kinesis_event(batch);
  }

private:
  void take(std::string const& answer) {
    constexpr std::string_view item = R"("itemIdentifier":")";
    auto const found = answer.find(item);
    int const next = found == std::string::npos ? end_ + 1 : std::stoi(answer.substr(found + item.size()));
    REQUIRE(next >= at_);
    REQUIRE(next <= end_ + 1);
    at_ = next;
  }
  dice& dice_;
  bool loses_answers_;
  int at_ = first, end_ = first - 1;
};

// Throws, or takes longer than there is, now and then.
task<> something_happens(dice& d) {
  int const what = d.upto(11);
  if (what == 0) throw std::runtime_error("unlucky");
  if (what == 1) co_await sleep_for(1h);
  if (what < 5) co_await sleep_for(500ms);
}

}  // namespace

TEST_CASE("through failures and deadlines every effect comes once and in order", "[lambda][redelivery]") {
  std::vector<int> all;
  for (int n = first; n <= last; ++n) all.push_back(n);
  bool const reports = GENERATE(true, false);
  for (unsigned seed = 1; seed != 30; ++seed) {
    INFO("seed " << seed << ", reports " << reports);
    dice d(seed);
    mapping source(d, false);
    simulated_function f;
    f.service->more = [&] { return source.next(f.service->replies); };
    std::vector<int> effects;
    f.run([&](auto& events) {
      events.use_kinesis_stream({.report_batch_item_failures = reports}, [&](auto& pipeline) {
        pipeline.use_stream([&](stream<record> records, stream_context&) -> task<> {
          while (record const* const r = co_await records.next()) {
            task<> happening = something_happens(d);
            co_await std::move(happening);
            effects.push_back(std::stoi(std::string(r->payload())));
          }
        });
      });
    });
    for (auto const& r : f.service->replies) CHECK(r.at < *r.deadline);
    if (reports) {
      CHECK(effects == all);
    } else {  // what was done comes again, nothing is left out
      std::vector<int> once;
      for (int const n : effects)
        if (once.empty() || n > once.back()) once.push_back(n);
      CHECK(once == all);
      CHECK(effects.size() > all.size());
    }
  }
}

TEST_CASE("with checkpoints windows are right through failures, deadlines and lost answers", "[lambda][redelivery]") {
  struct tick {
    explicit tick(int n) : time(n * std::int64_t{1'000'000'000}) {}
    instant time;
  };
  std::vector<std::pair<std::int64_t, std::uint64_t>> const right{{100, 9}, {110, 10}, {120, 10}, {130, 10}, {140, 10}};
  for (unsigned seed = 1; seed != 30; ++seed) {
    INFO("seed " << seed);
    dice d(seed);
    mapping source(d, true);
    simulated_function f;
    f.with.checkpoints = std::make_shared<memory_state_store>();
    f.with.commit.records = 3;
    f.service->more = [&] { return source.next(f.service->replies); };
    std::vector<std::pair<std::int64_t, std::uint64_t>> results;
    f.run([&](auto& events) {
      events.use_kinesis_stream({}, [&](auto& pipeline) {
        pipeline.use_stream([&](stream<record> records, stream_context&) -> task<> {
          auto const unlucky = [&](record const& r) {
            if (d.upto(11) == 0) throw std::runtime_error("unlucky");
            return tick(std::stoi(std::string(r.payload())));
          };
          auto counts = std::move(records) | map(unlucky) | event_time(&tick::time, bounded_disorder(0s)) |
                        key_by([](tick const&) { return 1; }) | tumbling_window(10s, late::drop()) | aggregate(count());
          while (auto const* const c = co_await counts.next()) {
            task<> happening = something_happens(d);
            co_await std::move(happening);
            std::pair const result(c->window.start / 1'000'000'000, c->value);
            if (std::ranges::find(results, result) == results.end()) results.push_back(result);  // an upsert, by window
          }
        });
      });
    });
    std::ranges::sort(results);
    CHECK(results == right);
  }
}
