// The source by enhanced fan-out, in virtual time.
#include <weir/kinesis/source.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/when_all.hpp>

#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::starting_position;
using test::fails_with;
using test::kinesis_fault;
using test::simulated_stream;
using texts = std::vector<std::string>;

namespace {

struct fan_out_reading {
  texts data;
  std::vector<position> positions;
  std::vector<std::chrono::nanoseconds> idle;
};

// Reads a shard to its end, or until there are so many records or marks.
struct fan_out_reader {
  std::size_t most = static_cast<std::size_t>(-1);
  std::size_t most_marks = static_cast<std::size_t>(-1);
  std::function<std::chrono::nanoseconds()> pause = {};
  std::optional<position> after = {};

  static task<fan_out_reading> run(fan_out_reader how, kinesis::options o, std::string id) {
    fan_out_reading out;
    kinesis::source source(std::move(o));
    stream<kinesis::record> records = source.open(std::move(id), how.after);
    while (out.data.size() < how.most && out.idle.size() < how.most_marks) {
      chunk<kinesis::record> c = co_await next_chunk(records);
      if (!c) break;
      for (mark const& m : c.marks)
        if (m.kind == mark_kind::idle) out.idle.emplace_back(m.time);
      for (kinesis::record const& r : c.elements) {
        out.data.emplace_back(r.data());
        out.positions.push_back(r.position());
      }
      if (how.pause) co_await sleep_for(how.pause());
    }
    co_return out;
  }
};

// Without limits: those of GetRecords are not a subscription's.
class fan_out_stream : public simulated_stream {
public:
  explicit fan_out_stream(std::size_t shards) : simulated_stream(shards, test::kinesis_protocol::options()) {}
  kinesis::options options() const {
    kinesis::options o = simulated_stream::options();
    o.consumer = "bars";
    return o;
  }
  // What happens before the n-th event from now on.
  void at_event(std::size_t n, kinesis_fault f) const { service->fail("event", std::move(f), 1, n); }
};

fan_out_reading read_by(kinesis::options o, std::string id, fan_out_reader how = {}, test::told* log = nullptr) {
  testing::simulation world;
  test::told unheard;
  world.log = (log ? *log : unheard).log();
  return world.run(fan_out_reader::run(std::move(how), std::move(o), std::move(id)));
}

// Reads a record of each shard, all at once; how many there were.
task<std::size_t> read_first_of_each(kinesis::options o, std::vector<std::string> ids) {
  kinesis::source source(std::move(o));
  auto const one = [](kinesis::source& from, std::string id) -> task<std::size_t> {
    stream<kinesis::record> records = from.open(std::move(id), std::nullopt);
    kinesis::record const* const r = co_await records.next();
    co_return r ? 1 : 0;
  };
  std::vector<task<std::size_t>> reading;
  for (std::string const& id : ids) reading.push_back(one(source, id));
  std::vector<std::size_t> const got = co_await when_all(std::move(reading));
  std::size_t sum = 0;
  for (std::size_t const n : got) sum += n;
  co_return sum;
}

texts counted(int first, int count) {
  texts out;
  for (int i = 0; i != count; ++i) out.push_back(std::to_string(first + i));
  return out;
}

}  // namespace

TEST_CASE("a consumer is registered, waited for, and its shard read to the end", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 2'500);
  s.split(0);
  CHECK(read_by(s.options(), s.id(0)).data == counted(0, 2'500));
  CHECK(s.service->calls("RegisterStreamConsumer") == 1);
  CHECK(s.service->calls("DescribeStreamConsumer") >= 3);
  CHECK(s.service->calls("SubscribeToShard") == 1);
  CHECK(s.service->calls("GetRecords") == 0);
}

TEST_CASE("a consumer that there is is used, and the shards of a source look for it once", "[kinesis][fan_out]") {
  fan_out_stream s(4);
  s.service->consumers["arn:aws:kinesis:us-east-1:000000000000:stream/ticks/consumer/bars:1"] = 0;
  for (std::size_t i = 0; i != 4; ++i) s.put(i, static_cast<int>(i), 1);
  testing::simulation world;
  CHECK(world.run(read_first_of_each(s.options(), {s.id(0), s.id(1), s.id(2), s.id(3)})) == 4);
  CHECK(s.service->calls("RegisterStreamConsumer") == 0);
  CHECK(s.service->calls("DescribeStreamConsumer") == 1);
}

TEST_CASE("a consumer that is named by its ARN is not looked for", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  kinesis::options o = s.options();
  o.consumer = "arn:aws:kinesis:us-east-1:000000000000:stream/ticks/consumer/theirs:1";
  s.service->consumers[o.consumer] = 0;
  s.put(0, 0, 3);
  CHECK(read_by(o, s.id(0), {.most = 3}).data == counted(0, 3));
  CHECK(s.service->calls("DescribeStreamConsumer") == 0);
}

TEST_CASE("what cannot be the name of a consumer is refused when the source is built", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  kinesis::options o = s.options();
  for (std::string const& bad : {std::string("my bars"), std::string("b/ars"), std::string(129, 'b')}) {
    o.consumer = bad;
    fails_with(errc::invalid_option, [&] { kinesis::source const source(o); }, "kinesis: cannot use consumer", bad);
  }
}

TEST_CASE("two who register a consumer at once both use it", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 3);
  s.service->fail("RegisterStreamConsumer", kinesis_fault::refuse("ResourceInUseException"));
  CHECK(read_by(s.options(), s.id(0), {.most = 3}).data == counted(0, 3));
}

TEST_CASE("a stream that has as many consumers as it may have is said so", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.service->fail("RegisterStreamConsumer", kinesis_fault::refuse("LimitExceededException", "too many"), 100);
  fails_with(
      errc::rejected, [&] { read_by(s.options(), s.id(0)); }, "kinesis: no enhanced fan-out by the consumer bars", "20 consumers",
      "too many");
  CHECK(s.service->calls("RegisterStreamConsumer") == 5);
}

TEST_CASE("subscriptions are renewed without a gap and without a duplicate", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  int put = 0;
  auto const more = [&] {
    s.put(0, put++, 1);
    return std::chrono::nanoseconds(7s);
  };
  (void)more();
  CHECK(read_by(s.options(), s.id(0), {.most = 200, .pause = more}).data == counted(0, 200));
  CHECK(s.service->calls("SubscribeToShard") >= 4);  // 200 times 7 s are 23 minutes
  CHECK(s.service->calls("SubscribeToShard") <= 6);
}

TEST_CASE("a start at the tip of which nothing came leaves nothing out, whatever this machine's clock says", "[kinesis][fan_out]") {
  for (std::chrono::nanoseconds const ahead : {-2min, 0min, 2min}) {
    CAPTURE(ahead.count());
    fan_out_stream s(1);
    kinesis::options o = s.options();
    o.start = starting_position::latest();
    s.service->ahead = ahead;
    s.put(0, 0, 1, test::simulated_begin + (ahead - 10s).count());
    s.service->before = [&](auto const& call) {  // between the first subscription and the second one
      if (call.operation == "SubscribeToShard" && s.service->calls("SubscribeToShard") == 2) s.put(0, 1, 1, call.at + (ahead - 1s).count());
    };
    s.at_event(0, kinesis_fault::close());
    CHECK(read_by(o, s.id(0), {.most = 1, .most_marks = 3}).data == counted(1, 1));
  }
}

// Bug 17 of the field: a re-subscription that is refused left a subscription of which nothing came.
TEST_CASE("a re-subscription that is refused is made again behind the last continuation, and one that is silent is replaced",
          "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 5);
  s.service->most_event = 1;
  s.at_event(2, kinesis_fault::close());
  s.service->fail("SubscribeToShard", kinesis_fault::refuse("ResourceInUseException", "Another active subscription exists"), 3, 1);
  s.at_event(0, kinesis_fault::hang());
  s.at_event(0, kinesis_fault::refuse("ResourceInUseException", "Another active subscription exists"));
  test::told log;
  fan_out_reading const r = read_by(s.options(), s.id(0), {.most = 5}, &log);
  CHECK(r.data == counted(0, 5));
  CHECK(s.service->calls("SubscribeToShard") == 7);
  CHECK(log.count("warning: kinesis: a subscription to a shard is held up") == 1);
}

// Bug 16 of the field: a handler that is busy for long made subscriptions fail, and what had come was dropped.
TEST_CASE("a handler that is busy for minutes loses nothing of its subscription", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 3'000);
  s.service->most_event = 100;
  auto const busy = [] { return std::chrono::nanoseconds(2min); };
  CHECK(read_by(s.options(), s.id(0), {.most = 3'000, .pause = busy}).data == counted(0, 3'000));
}

// Bug 25 of the field.
TEST_CASE("a continuation of zero neither loses records nor brings them again", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 6);
  s.service->most_event = 2;
  s.service->fail("event", kinesis_fault::garbage("0"), 2);
  s.at_event(0, kinesis_fault::close());
  s.service->fail("event", kinesis_fault::garbage("0"), 1);
  CHECK(read_by(s.options(), s.id(0), {.most = 6}).data == counted(0, 6));
}

TEST_CASE("whatever passes in a subscription is tried again", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 8);
  s.service->most_event = 1;
  for (char const* const type : {"InternalFailureException", "LimitExceededException", "KMSThrottlingException", "ServiceUnavailable"}) {
    s.service->fail("SubscribeToShard", kinesis_fault::refuse(type, "passes", 500));
    s.at_event(1, kinesis_fault::refuse("LimitExceededException"));
  }
  s.at_event(0, kinesis_fault::late(0ms));
  s.service->fail("SubscribeToShard", kinesis_fault::close(), 2);
  CHECK(read_by(s.options(), s.id(0), {.most = 8}).data == counted(0, 8));
}

TEST_CASE("what does not pass fails the shard", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.service->fail("SubscribeToShard", kinesis_fault::refuse("KMSDisabledException", "the key is off"));
  try {
    read_by(s.options(), s.id(0));
    FAIL("it went on");
  } catch (error const& e) {
    CHECK(e.code() == kinesis::errc::key_unusable);
    CHECK(e.partition() == s.id(0));
  }
}

TEST_CASE("where fan-out is denied the shard fails and says what to allow, or is polled where that is said", "[kinesis][fan_out]") {
  fan_out_stream s(2);
  s.put(0, 0, 5);
  s.put(1, 5, 5);
  kinesis::options o = s.options();
  SECTION("it fails") {
    s.service->fail("SubscribeToShard",
                    kinesis_fault::refuse("AccessDeniedException", "not authorized to perform: kinesis:SubscribeToShard"), 10);
    fails_with(
        errc::access_denied, [&] { read_by(o, s.id(0)); }, "kinesis: no enhanced fan-out by the consumer bars", "stream ticks",
        "allow kinesis:DescribeStreamSummary", "options::otherwise");
  }
  SECTION("it is polled") {
    s.service->fail("DescribeStreamConsumer", kinesis_fault::refuse("AccessDeniedException", "no"), 10);
    o.otherwise = kinesis::without_fan_out::poll;
    test::told log;
    CHECK(read_by(o, s.id(0), {.most = 5}, &log).data == counted(0, 5));
    CHECK(log.count("error: kinesis: enhanced fan-out cannot be had (stream ticks, consumer bars): it is polled from now on") == 1);
    CHECK(s.service->calls("SubscribeToShard") == 0);
  }
  SECTION("it is polled behind what came") {
    s.service->most_event = 2;
    s.at_event(2, kinesis_fault::refuse("AccessDeniedException", "not any more"));
    s.service->fail("SubscribeToShard", kinesis_fault::refuse("AccessDeniedException", "not any more"), 10, 1);
    o.otherwise = kinesis::without_fan_out::poll;
    CHECK(read_by(o, s.id(0), {.most = 5}).data == counted(0, 5));
    CHECK(s.service->calls("SubscribeToShard") == 2);
    CHECK(s.service->calls("GetRecords") == 1);
  }
}

TEST_CASE("credentials that come late are no reason to do without fan-out", "[kinesis][fan_out]") {
  for (char const* const operation : {"DescribeStreamConsumer", "RegisterStreamConsumer", "SubscribeToShard", "event"}) {
    INFO(operation);
    fan_out_stream s(1);
    s.put(0, 0, 5);
    s.service->most_event = 2;
    s.service->fail(operation,
                    kinesis_fault::refuse("UnrecognizedClientException", "The security token included in the request is invalid.", 403));
    kinesis::options o = s.options();
    o.otherwise = kinesis::without_fan_out::poll;
    test::told log;
    CHECK(read_by(o, s.id(0), {.most = 5}, &log).data == counted(0, 5));
    CHECK(s.service->calls("GetRecords") == 0);
    CHECK(log.count("error: ") == 0);
  }
}

TEST_CASE("where the stream cannot be listed either, it is not polled but fails for that", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  kinesis::options o = s.options();
  o.otherwise = kinesis::without_fan_out::poll;
  kinesis_fault const denied = kinesis_fault::refuse("AccessDeniedException", "no");
  s.service->fail("ListShards", denied, 10, 1);
  SECTION("when it is looked for the consumer") { s.service->fail("DescribeStreamConsumer", denied, 10); }
  SECTION("when it is subscribed to") { s.service->fail("SubscribeToShard", denied, 10); }
  SECTION("when the consumer is gone") { s.service->fail("SubscribeToShard", kinesis_fault::refuse("ResourceNotFoundException"), 10); }
  fails_with(errc::access_denied, [&] { read_by(o, s.id(0)); }, "kinesis: ListShards failed");
  CHECK(s.service->calls("GetRecords") == 0);
}

TEST_CASE("that fan-out cannot be had is found once for all shards of a source", "[kinesis][fan_out]") {
  fan_out_stream s(6);
  for (std::size_t i = 0; i != 6; ++i) s.put(i, static_cast<int>(i), 1);
  s.service->fail("RegisterStreamConsumer", kinesis_fault::refuse("LimitExceededException", "too many"), 1'000);
  kinesis::options o = s.options();
  o.otherwise = kinesis::without_fan_out::poll;
  testing::simulation world;
  CHECK(world.run(read_first_of_each(o, {s.id(0), s.id(1), s.id(2), s.id(3), s.id(4), s.id(5)})) == 6);
  CHECK(s.service->calls("RegisterStreamConsumer") == 10);  // five tries, and five more to be sure
}

TEST_CASE("a consumer that somebody deregisters is registered again", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 4);
  s.service->most_event = 2;
  s.service->before = [&, done = false](auto const& call) mutable {
    if (call.operation == "SubscribeToShard" && s.service->calls("SubscribeToShard") == 2 && !std::exchange(done, true))
      s.service->consumers.clear();
  };
  s.at_event(1, kinesis_fault::close());
  CHECK(read_by(s.options(), s.id(0), {.most = 4}).data == counted(0, 4));
  CHECK(s.service->calls("RegisterStreamConsumer") == 2);
}

TEST_CASE("what became of a consumer is asked less and less often while the service refuses to say", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 4);
  s.service->most_event = 2;
  s.service->before = [&, done = false](auto const& call) mutable {
    if (call.operation != "SubscribeToShard" || s.service->calls("SubscribeToShard") != 2 || std::exchange(done, true)) return;
    s.service->consumers.clear();
    s.service->fail("ListShards", kinesis_fault::refuse("LimitExceededException"), 3);
  };
  s.at_event(1, kinesis_fault::close());
  CHECK(read_by(s.options(), s.id(0), {.most = 4}).data == counted(0, 4));
  CHECK(s.service->calls("RegisterStreamConsumer") == 2);
  std::vector<instant> asked;
  for (auto const& call : s.service->seen)
    if (call.operation == "ListShards") asked.push_back(call.at);
  REQUIRE(asked.size() >= 4);
  for (std::size_t i = asked.size() - 3; i != asked.size(); ++i) CHECK(asked[i] - asked[i - 1] >= 1'000'000'000);
}

TEST_CASE("a closed shard whose subscription goes on for ever is polled to its end", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 30);
  s.split(0);
  s.service->ends_subscriptions = false;  // as kinesis-mock
  CHECK(read_by(s.options(), s.id(0)).data == counted(0, 30));
  CHECK(s.service->calls("GetRecords") == 1);
}

TEST_CASE("an idle subscription says so, for as long as it was asked", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 1);
  std::vector<std::chrono::nanoseconds> const idle = read_by(s.options(), s.id(0), {.most_marks = 5}).idle;
  REQUIRE(idle.size() == 5);
  for (std::size_t i = 1; i != 5; ++i) CHECK(idle[i] - idle[i - 1] == 1s);
}

TEST_CASE("behind a position inside of a record, and behind the end, fan-out goes on as polling does", "[kinesis][fan_out]") {
  fan_out_stream s(1);
  s.put(0, 0, 10);
  std::vector<position> const all = read_by(s.options(), s.id(0), {.most = 10}).positions;
  CHECK(read_by(s.options(), s.id(0), {.most = 6, .after = all[3]}).data == counted(4, 6));
  CHECK(read_by(s.options(), s.id(0), {.after = kinesis::shard_end}).data.empty());
}
