#include <weir/error.hpp>
#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/detail/put_queue.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using kinesis::outgoing_record;
using kinesis::put_result;
using kinesis::detail::put_queue;
using test::fails_with;
using texts = std::vector<std::string>;

namespace {

kinesis::producer_options options(kinesis::put_order order = kinesis::put_order::any, std::size_t most_records = 3) {
  kinesis::producer_options o;
  o.stream = "ticks";
  o.order = order;
  o.most_records = most_records;
  return o;
}
// "key:data".
texts texts_of(std::span<outgoing_record const> records) {
  texts out;
  for (auto const& r : records) out.push_back(r.partition_key + ':' + r.data);
  return out;
}
// Of so many, those at `failing` are not taken.
std::vector<put_result> results(std::size_t count, std::vector<std::size_t> const& failing = {}) {
  std::vector<put_result> out(count);
  for (std::size_t const i : failing) out[i].failure = errc::throttled;
  return out;
}
put_queue with(kinesis::producer_options const& o, std::vector<std::pair<std::string, std::string>> const& all) {
  put_queue q(o);
  for (auto const& [key, data] : all) q.add({key, data});
  return q;
}

}  // namespace

TEST_CASE("requests are as large as they may be, in order", "[kinesis][put_queue]") {
  kinesis::producer_options o = options();
  put_queue q = with(o, {{"a", "1"}, {"b", "2"}, {"a", "3"}, {"c", "4"}});
  CHECK(texts_of(q.next()) == texts{"a:1", "b:2", "a:3"});
  CHECK(q.settle(results(3)) == 3);
  CHECK(texts_of(q.next()) == texts{"c:4"});
  CHECK(q.settle(results(1)) == 1);
  CHECK(q.empty());
  CHECK(q.next().empty());
  o.most_bytes = 10;
  put_queue b = with(o, {{"a", "1234"}, {"b", "1234"}, {"c", "1"}, {"d", "12345678901234567890"}, {"e", "1"}});
  CHECK(b.next().size() == 2);  // 10 bytes
  CHECK(b.settle(results(2)) == 2);
  CHECK(b.next().size() == 1);
  CHECK(b.settle(results(1)) == 1);
  CHECK(b.next().size() == 1);  // alone larger than a request should be: it is tried all the same
}

TEST_CASE("only what was not taken is put again, and others with it", "[kinesis][put_queue]") {
  kinesis::producer_options const o = options();
  put_queue q = with(o, {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}, {"e", "5"}});
  q.next();
  CHECK(q.settle(results(3, {0, 2})) == 1);
  CHECK(q.size() == 4);
  CHECK(texts_of(q.next()) == texts{"a:1", "c:3", "d:4"});
  CHECK(texts_of(q.next()) == texts{"a:1", "c:3", "d:4"});  // a call that failed as a whole
  CHECK(q.settle(results(3, {1})) == 2);
  CHECK(texts_of(q.next()) == texts{"c:3", "e:5"});
}

TEST_CASE("where order is asked for, a request has one record of a key", "[kinesis][put_queue]") {
  kinesis::producer_options const o = options(kinesis::put_order::per_key, 3);
  put_queue q = with(o, {{"a", "1"}, {"a", "2"}, {"b", "3"}, {"a", "4"}, {"c", "5"}, {"d", "6"}});
  CHECK(texts_of(q.next()) == texts{"a:1", "b:3", "c:5"});
  q.settle(results(3, {0}));
  CHECK(texts_of(q.next()) == texts{"a:1", "d:6"});  // nothing of `a` overtakes
  q.settle(results(2));
  CHECK(texts_of(q.next()) == texts{"a:2"});
  q.settle(results(1));
  CHECK(texts_of(q.next()) == texts{"a:4"});
}

TEST_CASE("whatever fails, everything is taken once, and in order of its key", "[kinesis][put_queue]") {
  for (unsigned seed = 1; seed != 50; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    kinesis::producer_options const o = options(kinesis::put_order::per_key, 1 + random() % 7);
    put_queue q(o);
    for (int i = 0; i != 100; ++i) q.add({std::string(1, static_cast<char>('a' + random() % 5)), std::to_string(i)});
    std::map<std::string, int> last;
    int taken = 0;
    while (!q.empty()) {
      auto const batch = q.next();
      REQUIRE(!batch.empty());
      std::vector<std::size_t> failing;
      for (std::size_t i = 0; i != batch.size(); ++i) {
        if (random() % 3 == 0) {
          failing.push_back(i);
          continue;
        }
        int const n = std::stoi(batch[i].data);
        auto const before = last.try_emplace(batch[i].partition_key, -1).first;
        CHECK(before->second < n);
        before->second = n;
        ++taken;
      }
      q.settle(results(batch.size(), failing));
    }
    CHECK(taken == 100);
  }
}

TEST_CASE("records of one key are put into one", "[kinesis][put_queue]") {
  kinesis::producer_options o = options();
  o.aggregate_bytes = 170;
  put_queue q(o);
  std::string const large(70, 'x');
  q.add({"a", "1"});
  q.add({"b", "2"});
  q.add({"a", "3", kinesis::hash_key::last()});
  q.add({"a", large});
  q.add({"a", "5"});  // does not fit any more
  auto const batch = q.next();
  REQUIRE(batch.size() == 3);  // limited to three: what was full, then what came first
  auto const inner = kinesis::read_aggregated(batch[0].data);
  REQUIRE(inner);
  REQUIRE(inner->size() == 2);
  CHECK((*inner)[0].data == "1");
  CHECK((*inner)[1].data == large);
  CHECK(batch[0].size() <= 170);
  CHECK(texts_of(batch.subspan(1)) == texts{"a:5", "b:2"});  // alone, so not aggregated
  q.settle(results(3));
  auto const rest = q.next();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].explicit_hash_key == kinesis::hash_key::last());
}

TEST_CASE("what comes later goes behind", "[kinesis][put_queue]") {
  kinesis::producer_options const o = options(kinesis::put_order::any, 10);
  put_queue q = with(o, {{"a", "1"}});
  q.append(with(o, {{"a", "2"}}));
  CHECK(texts_of(q.next()) == texts{"a:1", "a:2"});
}

TEST_CASE("records that no stream takes are refused", "[kinesis][put_queue]") {
  kinesis::producer_options o = options();
  put_queue q(o);
  fails_with(errc::malformed, [&] { q.add({"", "x"}); }, "kinesis: cannot put a record", "no partition key");
  fails_with(errc::malformed, [&] { q.add({"\xff", "x"}); }, "no UTF-8");
  fails_with(errc::malformed, [&] { q.add({std::string(257, 'k'), "x"}); }, "257 characters");
  std::string umlauts;
  for (int i = 0; i != 256; ++i) umlauts += "\xc3\xa4";
  q.add({umlauts, "x"});
  fails_with(errc::too_large, [&] { q.add({"k", std::string(1024 * 1024, 'x')}); }, "1048577 bytes", "UpdateMaxRecordSize");
  q.add({"k", std::string(1024 * 1024 - 1, 'x')});
  CHECK(q.size() == 2);
}
