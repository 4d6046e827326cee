#include <weir/kinesis/source.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/outgoing_record.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/timeout.hpp>
#include <weir/when_all.hpp>

#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
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

// What a shard gave, and when it was over.
struct reading {
  texts data;
  std::vector<position> positions;
  std::vector<std::chrono::nanoseconds> idle;  // as it was said
  std::size_t chunks = 0;
  instant end = 0;
  std::chrono::nanoseconds took() const { return std::chrono::nanoseconds(end - test::simulated_begin); }
};

// Reads a shard up to its end, or until there are so many records. Between chunks it lets `pause` say how long it is busy.
struct reader {
  std::size_t most = static_cast<std::size_t>(-1);
  std::size_t most_marks = static_cast<std::size_t>(-1);
  std::function<std::chrono::nanoseconds(reading const&)> pause = {};
  std::optional<position> after = {};

  static task<reading> run(reader how, kinesis::options o, std::string id) {
    reading out;
    kinesis::source source(std::move(o));
    stream<kinesis::record> records = source.open(std::move(id), how.after);
    while (out.data.size() < how.most && out.idle.size() < how.most_marks) {
      chunk<kinesis::record> c = co_await next_chunk(records);
      if (!c) break;
      for (mark const& m : c.marks)
        if (m.kind == mark_kind::idle) out.idle.emplace_back(m.time);
      if (c.elements.empty()) continue;
      ++out.chunks;
      for (kinesis::record const& r : c.elements) {
        out.data.emplace_back(r.data());
        out.positions.push_back(r.position());
      }
      if (how.pause) co_await sleep_for(how.pause(out));
    }
    context const& own = co_await current_context();
    out.end = own.clock().now();
    co_return out;
  }
};

reading read(kinesis::options o, std::string id, reader how = {}, test::told* log = nullptr, metrics* figures = nullptr) {
  testing::simulation world;
  test::told unheard;
  world.log = (log ? *log : unheard).log();
  world.metrics = figures;
  return world.run(reader::run(std::move(how), std::move(o), std::move(id)));
}

texts numbers(int first, int count) {
  texts out;
  for (int i = 0; i != count; ++i) out.push_back(std::to_string(first + i));
  return out;
}

}  // namespace

TEST_CASE("a closed shard is read to its end, and the records of its children are not its own", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 1'000);
  s.split(0);
  s.put(1, 5'000, 3);
  reading const r = read(s.options(), s.id(0));
  CHECK(r.data == numbers(0, 1'000));
  CHECK(std::ranges::is_sorted(r.positions));
  CHECK(r.chunks == 4);
  CHECK(s.service->calls("GetRecords") == 1);
  CHECK(read(s.options(), s.id(1), {.most = 3}).data == numbers(5'000, 3));
}

TEST_CASE("the end of a shard needs no word of its children", "[kinesis][source]") {
  test::kinesis_protocol::options o;
  o.child_shards = false;  // as kinesalite
  simulated_stream s(2, o);
  s.put(0, 0, 5);
  s.merge(0, 1);
  CHECK(read(s.options(), s.id(0)).data == numbers(0, 5));
  CHECK(read(s.options(), s.id(1)).data.empty());
}

TEST_CASE("the end of a shard that is listed as open is not believed", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 3);
  s.service->fail("GetRecords", kinesis_fault::garbage(R"({"Records":[],"MillisBehindLatest":0})"), 2, 1);
  s.service->before = [&](auto const&) {
    if (s.service->calls("GetRecords") == 2 && s.stream().shards().at(0).records.size() == 3) s.put(0, 3, 3);
  };
  test::told log;
  CHECK(read(s.options(), s.id(0), {.most = 6}, &log).data == numbers(0, 6));
  CHECK(log.count("warning: kinesis: a reply says that a shard has ended (stream ticks, partition " + s.id(0) + ")") == 1);
}

TEST_CASE("whether a shard has ended is asked for as long as it takes", "[kinesis][source]") {
  test::kinesis_protocol::options o;
  o.child_shards = false;
  simulated_stream s(1, o);
  s.put(0, 0, 5);
  s.split(0);
  s.service->fail("ListShards", kinesis_fault::throttle(), 10, 1);
  CHECK(read(s.options(), s.id(0)).data == numbers(0, 5));
  CHECK(s.service->calls("ListShards") == 12);
}

TEST_CASE("a shard that is finished has no records behind its end, and is not asked for any", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  CHECK(read(s.options(), s.id(0), {.after = kinesis::shard_end}).data.empty());
  CHECK(s.service->seen.empty());
  kinesis::source const source(s.options());
  CHECK(source.end_of(s.id(0)) == kinesis::shard_end);
  CHECK(source.name() == "kinesis ticks");
}

TEST_CASE("reading resumes behind any record, and nothing comes twice", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  s.split(0);
  reading const all = read(s.options(), s.id(0));
  for (int i = 0; i != 5; ++i)
    CHECK(read(s.options(), s.id(0), {.after = all.positions[static_cast<std::size_t>(i)]}).data == numbers(i + 1, 4 - i));
}

TEST_CASE("a shard begins where the options say", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5, test::simulated_begin - 1'000'000'000);
  s.put(0, 5, 5);
  std::string const third = kinesis::sequence_number_of(read(s.options(), s.id(0), {.most = 10}).positions[2]);
  kinesis::options o = s.options();
  o.start = starting_position::at(test::simulated_begin);
  CHECK(read(o, s.id(0), {.most = 5}).data == numbers(5, 5));
  o.positions[s.id(0)] = third;
  CHECK(read(o, s.id(0), {.most = 7}).data == numbers(3, 7));
  o = s.options();
  o.start = starting_position::latest();
  CHECK(read(o, s.id(0), {.most_marks = 5}).data.empty());
}

TEST_CASE("a backlog is drained as fast as the shard allows, and never refused", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 20'000);
  s.split(0);
  kinesis::options o = s.options();
  o.limit = 1'000;
  reading const r = read(o, s.id(0));
  CHECK(r.data == numbers(0, 20'000));
  CHECK(s.service->refused == 0);
  CHECK(s.service->calls("GetRecords") == 20);
  CHECK(r.took() < 5s);
}

TEST_CASE("replies of ten mebibytes are five seconds apart, and never refused", "[kinesis][source]") {
  simulated_stream s(1);
  std::string const mebibyte(std::size_t{1024} * 1024 - 16, 'x');
  for (int i = 0; i != 25; ++i) s.stream().put(0, "k", mebibyte, test::simulated_begin);
  s.split(0);
  reading const r = read(s.options(), s.id(0));
  CHECK(r.data.size() == 25);
  CHECK(s.service->refused == 0);
  CHECK(s.service->calls("GetRecords") == 3);
  CHECK(r.took() > 10s);
  CHECK(r.took() < 11s);
}

TEST_CASE("one record of ten mebibytes is a record", "[kinesis][source]") {
  simulated_stream s(1);
  s.stream().put(0, "k", std::string(std::size_t{10} * 1024 * 1024, 'x'), test::simulated_begin);
  s.put(0, 1, 1);
  reading const r = read(s.options(), s.id(0), {.most = 2});
  REQUIRE(r.data.size() == 2);
  CHECK(r.data[0].size() == std::size_t{10} * 1024 * 1024);
}

TEST_CASE("a handler slower than an iterator lives loses nothing and stops nothing", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 1'000);
  s.split(0);
  kinesis::options o = s.options();
  o.limit = 300;
  test::told log;
  reading const r = read(o, s.id(0), {.pause = [](reading const&) { return 6min; }}, &log);
  CHECK(r.data == numbers(0, 1'000));
  CHECK(s.service->calls("GetShardIterator") == 4);  // at first, and behind each reply but the last
  CHECK(log.all.empty());
}

TEST_CASE("an expired iterator at the tip is renewed silently, behind the last record", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 3);
  reading const r = read(s.options(), s.id(0), {.most = 6, .pause = [&](reading const& so_far) {
                                                  s.service->state.expire_all();
                                                  if (so_far.data.size() == 3) s.put(0, 3, 3);
                                                  return 1s;
                                                }});
  CHECK(r.data == numbers(0, 6));
}

TEST_CASE("what comes while a start at the tip has no iterator that is good is not left out", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 3, test::simulated_begin - 1'000'000'000);
  kinesis::options o = s.options();
  o.start = starting_position::latest();
  s.service->fail("GetRecords", kinesis_fault::close(), 100, 2);
  bool put = false;
  s.service->before = [&](auto const& call) {
    if (call.at > test::simulated_begin + 100'000'000'000 && !std::exchange(put, true)) s.put(0, 3, 3, call.at);
  };
  reading const r = read(o, s.id(0), {.most = 3});
  CHECK(r.data == numbers(3, 3));
  CHECK(r.took() > 5min);
}

TEST_CASE("throttling is waited out, however long, and is never fatal", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  s.split(0);
  s.service->fail("GetRecords", kinesis_fault::throttle(), 50);
  s.service->fail("GetShardIterator", kinesis_fault::throttle(), 3);
  test::told log;
  CHECK(read(s.options(), s.id(0), {}, &log).data == numbers(0, 5));
  CHECK(log.count("warning: kinesis: reading a shard is held up") == 2);  // 4 and 16 times in a row
  CHECK(log.count("ProvisionedThroughputExceededException") == 2);
  CHECK(log.count("partition " + s.id(0)) == 2);
}

TEST_CASE("what passes by itself costs no record", "[kinesis][source]") {
  for (kinesis_fault const& fault :
       {kinesis_fault::empty(500), kinesis_fault::empty(503), kinesis_fault::close(), kinesis_fault::lose_reply(),
        kinesis_fault::cut_reply(), kinesis_fault::refuse("InternalFailure", "", 500), kinesis_fault::refuse("LimitExceededException"),
        kinesis_fault::refuse("KMSThrottlingException"), kinesis_fault::refuse("ExpiredIteratorException"), kinesis_fault::throttle()}) {
    INFO(static_cast<int>(fault.what) << ' ' << fault.type);
    simulated_stream s(1);
    s.put(0, 0, 1'000);
    s.split(0);
    kinesis::options o = s.options();
    o.limit = 100;
    for (int i = 0; i != 10; ++i) s.service->fail("GetRecords", fault, 1 + static_cast<std::size_t>(i % 3), 1);
    CHECK(read(o, s.id(0)).data == numbers(0, 1'000));
  }
}

TEST_CASE("what does not pass ends the reading, and says what, where and what to do", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  auto const reads = [&] { read(s.options(), s.id(0)); };
  s.service->fail("GetShardIterator",
                  kinesis_fault::refuse("AccessDeniedException", "not authorized to perform: kinesis:GetShardIterator"));
  fails_with(weir::errc::access_denied, reads, "kinesis: GetShardIterator failed", "stream ticks", "partition shardId-000000000000",
             "not authorized", "allow it to this identity");
  fails_with(weir::errc::not_found, [&] { read(s.options(), "shardId-000000000009"); }, "shardId-000000000009", "no such shard");
  s.service->fail("GetRecords", kinesis_fault::garbage());
  fails_with(weir::errc::malformed, reads, "kinesis: cannot read records");
  s.service->fail("GetRecords", kinesis_fault::refuse("KMSDisabledException", "the key is disabled"));
  CHECK_THROWS_WITH(reads(), Catch::Matchers::Contains("the key is disabled"));
}

TEST_CASE("a position that is not of this stream is refused, and named", "[kinesis][source]") {
  simulated_stream s(1), other(2);
  s.put(0, 0, 5);
  other.put(1, 0, 5);
  reading const r = read(other.options(), other.id(1), {.most = 5});
  try {
    read(s.options(), s.id(0), {.after = r.positions[2]});
    FAIL("nothing was thrown");
  } catch (error const& e) {
    CHECK(e.code() == kinesis::errc::invalid_argument);
    CHECK(std::string(e.what()).find(kinesis::sequence_number_of(r.positions[2])) != std::string::npos);
    CHECK(e.partition() == s.id(0));
  }
}

TEST_CASE("a shard that Kinesis lets go of while it is read is over, and that records are lost is said", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 1'000);
  s.split(0);
  kinesis::options o = s.options();
  o.limit = 100;
  s.service->before = [&](auto const& call) {
    if (s.service->calls("GetRecords") == 5) s.stream().trim(call.at);
  };
  test::told log;
  CHECK(read(o, s.id(0), {}, &log).data == numbers(0, 400));
  CHECK(log.count("error: kinesis: records are lost (stream ticks, partition " + s.id(0) + ")") == 1);
}

TEST_CASE("whether Kinesis has let go of a shard is asked for as long as it takes", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 1'000);
  s.split(0);
  kinesis::options o = s.options();
  o.limit = 100;
  s.service->before = [&](auto const& call) {
    if (s.service->calls("GetRecords") == 5) s.stream().trim(call.at);
  };
  s.service->fail("ListShards", kinesis_fault::throttle(), 10, 1);
  test::told log;
  CHECK(read(o, s.id(0), {}, &log).data == numbers(0, 400));
  CHECK(log.count("error: kinesis: records are lost") == 1);
}

TEST_CASE("an idle shard says for how long, and is polled at its pace", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  reading const r = read(s.options(), s.id(0), {.most_marks = 20});
  REQUIRE(r.idle.size() == 20);
  CHECK(r.idle.front() == 0s);
  CHECK(std::ranges::is_sorted(r.idle));
  CHECK(r.idle.back() > 25s);
  CHECK(s.service->calls("GetRecords") == 21);
}

TEST_CASE("time in which the handler is busy is no silence of the shard", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 1);
  reading const r = read(s.options(), s.id(0), {.most_marks = 2, .pause = [](reading const&) { return 1h; }});
  CHECK(r.idle.front() == 0s);
  CHECK(r.idle.back() < 3s);
}

// By md5sum: the key "a" belongs to the first of two shards (0cc1...), "b" to the second (92eb...).
TEST_CASE("records that a producer has put into one of the wrong shard are left out, counted, and told of once", "[kinesis][source]") {
  simulated_stream s(2);
  std::array<kinesis::outgoing_record, 3> const mixed{{{"a", "ours"}, {"b", "not ours"}, {"a", "ours, too"}}};
  for (int i = 0; i != 3; ++i) s.stream().put(0, "a", kinesis::write_aggregated(mixed), test::simulated_begin);
  testing::recording_metrics figures;
  test::told log;
  kinesis::options o = s.options();
  o.limit = 1;
  CHECK(read(o, s.id(0), {.most = 6}, &log, &figures).data.size() == 6);
  CHECK(log.count("warning: kinesis: records are left out (stream ticks, partition " + s.id(0) + ")") == 1);
  CHECK(log.count("keep them (options::misplaced)") == 1);
  CHECK(figures.value("misplaced_total{stream=\"ticks\",partition=\"shardId-000000000000\"}") == 2);  // a chunk is counted behind it
  o.misplaced = kinesis::misplaced_records::keep;
  CHECK(read(o, s.id(0), {.most = 9}).data.size() == 9);
}

TEST_CASE("a record of which nothing is left stops nothing, wherever reading begins", "[kinesis][source]") {
  std::array<kinesis::outgoing_record, 1> const foreign{{{"b", "not ours"}}};
  for (auto const& start : {starting_position::trim_horizon(), starting_position::at(test::simulated_begin)}) {
    simulated_stream s(2);
    for (int i = 0; i != 3; ++i) s.stream().put(0, "a", kinesis::write_aggregated(foreign), test::simulated_begin);
    s.put(0, 0, 1);
    s.stream().put(0, "a", kinesis::write_aggregated(foreign), test::simulated_begin);
    s.split(0);
    kinesis::options o = s.options();
    o.start = start;
    o.limit = 1;
    CHECK(read(o, s.id(0)).data == numbers(0, 1));  // and its end
  }
}

TEST_CASE("how far a shard is behind is a figure", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 10, test::simulated_begin - 10'000'000'000);
  s.put(0, 10, 1);
  kinesis::options o = s.options();
  o.limit = 10;
  testing::recording_metrics figures;
  read(o, s.id(0), {.most = 10}, nullptr, &figures);
  CHECK(figures.value("millis_behind_latest{stream=\"ticks\",partition=\"shardId-000000000000\"}") == 10'000);
  read(o, s.id(0), {.most = 11}, nullptr, &figures);
  CHECK(figures.value("millis_behind_latest{stream=\"ticks\",partition=\"shardId-000000000000\"}") == 0);
}

TEST_CASE("two sources of a process keep to the limits of a shard together", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 5'000);
  s.split(0);
  kinesis::options o = s.options();
  o.limit = 100;
  auto both = [](kinesis::options how, std::string id) -> task<std::size_t> {
    task<reading> one = reader::run(reader(), how, id), other = reader::run(reader(), how, id);
    auto got = co_await when_all(std::move(one), std::move(other));
    co_return std::get<0>(got).data.size() + std::get<1>(got).data.size();
  };
  testing::simulation world;
  CHECK(world.run(both(o, s.id(0))) == 10'000);
  CHECK(s.service->refused == 0);
}

TEST_CASE("a reading that is cancelled ends at once, whatever it waits for", "[kinesis][source]") {
  simulated_stream s(1);
  auto limited = [](kinesis::options o, std::string id, std::chrono::nanoseconds d) -> task<std::chrono::nanoseconds> {
    context const& own = co_await current_context();
    try {
      task<reading> run = reader::run(reader(), std::move(o), std::move(id));
      task<reading> bounded = with_timeout(d, std::move(run));
      co_await std::move(bounded);
    } catch (error const& e) {
      CHECK(e.code() == weir::errc::timed_out);
    }
    co_return std::chrono::nanoseconds(own.clock().now() - test::simulated_begin);
  };
  for (std::chrono::nanoseconds const d : {1ms, 7ms, 12ms, 17ms, 22ms, 1'234ms, 10'000ms}) {
    testing::simulation world;
    CHECK(world.run(limited(s.options(), s.id(0), d)) == d);
  }
}

TEST_CASE("no more requests are under way than the options say", "[kinesis][source]") {
  simulated_stream s(50);
  kinesis::options o = s.options();
  o.most_requests = 7;
  o.poll = 1ms;
  auto all = [](simulated_stream const& of, kinesis::options how) -> task<> {
    kinesis::source source(how);
    auto one = [](kinesis::source& from, std::string id) -> task<> {
      stream<kinesis::record> records = from.open(std::move(id), std::nullopt);
      while (co_await records.next()) {}
    };
    std::vector<task<>> each;
    for (std::size_t i = 0; i != 50; ++i) each.push_back(one(source, of.id(i)));
    task<> together = when_all(std::move(each));
    task<> bounded = with_timeout(10s, std::move(together));
    co_await std::move(bounded);
  };
  testing::simulation world;
  CHECK_THROWS_AS(world.run(all(s, o)), error);
  CHECK(s.service->most_under_way == 7);
}
