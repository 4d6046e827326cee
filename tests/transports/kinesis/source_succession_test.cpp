#include <weir/kinesis/source.hpp>

#include <weir/kinesis/starting_position.hpp>
#include <weir/predecessor.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>
#include <weir/testing/simulation.hpp>

#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using test::simulated_stream;

namespace {

// The first records of a shard that is opened behind `after`; of none, all that a closed one has.
task<std::vector<std::string>> first_of(std::shared_ptr<kinesis::source> from, std::string id, std::optional<position> after,
                                        std::size_t most) {
  std::vector<std::string> out;
  stream<kinesis::record> records = from->open(std::move(id), after);
  while (out.size() != most) {
    kinesis::record const* const r = co_await records.next();
    if (!r) break;
    out.emplace_back(r->data());
  }
  co_return out;
}

}  // namespace

TEST_CASE("a shard that goes on from others is read from its oldest record, wherever the stream is begun", "[kinesis][source]") {
  simulated_stream s(1);
  s.put(0, 0, 3);
  kinesis::options o = s.options();
  o.start = kinesis::starting_position::latest();
  o.positions.emplace(s.id(0), s.stream().shards().at(0).sequence_number(s.stream().shards().at(0).records.at(1).number));
  testing::simulation world;
  auto const got = world.run(first_of(std::make_shared<kinesis::source>(o), s.id(0), position(), 3));
  CHECK(got == std::vector<std::string>{"0", "1", "2"});
}

// MD5 (RFC 1321, A.5) of "a": 0cc1..., of "abc": 9001...; a shard is split in halves.
TEST_CASE("shards say which they came of, and whose keys are whose", "[kinesis][source]") {
  simulated_stream s(1);
  s.split(0);
  s.merge(1, 2);
  auto const source = std::make_shared<kinesis::source>(s.options());
  CHECK(source->predecessors(s.id(1)).empty());  // nothing is known yet
  CHECK(source->owns(s.id(1), "abc"));
  testing::simulation world;
  (void)world.run(first_of(source, s.id(0), std::nullopt, 1));
  using all = std::vector<predecessor>;
  CHECK(source->predecessors(s.id(0)).empty());
  CHECK(source->predecessors(s.id(1)) == all{{s.id(0), true}});
  CHECK(source->predecessors(s.id(2)) == all{{s.id(0), false}});
  CHECK(source->predecessors(s.id(3)) == all{{s.id(1), true}, {s.id(2), true}});
  CHECK(source->owns(s.id(0), "a"));
  CHECK(source->owns(s.id(1), "a"));
  CHECK_FALSE(source->owns(s.id(1), "abc"));
  CHECK_FALSE(source->owns(s.id(2), "a"));
  CHECK(source->owns(s.id(2), "abc"));
  CHECK(source->owns(s.id(3), "abc"));
}

// 0 was split into 1 and 2, 1 into 3 and 4; then the stream forgot 0 and 1.
TEST_CASE("shards that are gone are still known for what came of them", "[kinesis][source]") {
  simulated_stream s(1);
  s.split(0);
  s.split(1);
  auto const source = std::make_shared<kinesis::source>(s.options());
  auto const fresh = std::make_shared<kinesis::source>(s.options());
  testing::simulation world;
  auto const list = [&](std::shared_ptr<kinesis::source> const& of) {
    test::fails_with(weir::errc::not_found, [&] { (void)world.run(first_of(of, "none", std::nullopt, 1)); });
  };
  list(source);
  using all = std::vector<predecessor>;
  CHECK(source->heirs(s.id(0)) == std::vector<std::string>{s.id(1), s.id(2)});
  CHECK(source->heirs(s.id(3)).empty());
  s.stream().trim(test::simulated_begin + 1);
  list(source);
  CHECK(source->predecessors(s.id(3)) == all{{s.id(1), true, true}});
  CHECK(source->predecessors(s.id(4)) == all{{s.id(1), false, true}});
  CHECK(source->predecessors(s.id(1)) == all{{s.id(0), true, true}});
  CHECK(source->predecessors(s.id(2)) == all{{s.id(0), false, true}});
  CHECK_FALSE(source->owns(s.id(1), "abc"));
  CHECK(source->heirs(s.id(0)).empty());  // some of them may be gone
  list(fresh);
  CHECK(fresh->predecessors(s.id(3)) == all{{s.id(1), true, true}});
  CHECK(fresh->predecessors(s.id(4)) == all{{s.id(1), false, true}});
}
