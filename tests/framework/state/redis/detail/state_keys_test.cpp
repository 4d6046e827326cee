#include <weir/redis/detail/state_keys.hpp>

#include "support/catch.hpp"

#include <set>

using namespace weir;
using redis::detail::key_of;
using redis::detail::state_keys;

TEST_CASE("keys of a checkpoint in Redis are readable, and come back from the member of the index", "[redis]") {
  state_keys const plain("weir", checkpoint_key("bars", "ticks", "shard-1"));
  CHECK(plain.index == "weir:{bars}");
  CHECK(plain.member == "ticks:shard-1");
  CHECK(plain.head == "weir:{bars}:ticks:shard-1:head");
  CHECK(plain.state == "weir:{bars}:ticks:shard-1:state");
  CHECK(plain.order == "weir:{bars}:ticks:shard-1:order");

  std::string every;
  for (int i = 0; i < 256; ++i) every += static_cast<char>(i);
  for (auto const& [stream, partition] :
       {std::pair<std::string, std::string>("", ""), {"a:b", ""}, {"a", "b:"}, {"%41", "{}"}, {every, every}}) {
    checkpoint_key const key("p", stream, partition);
    CHECK(key_of("p", state_keys("weir", key).member) == key);
  }
  for (char const* const none : {"", "ab", "a:b:c", "a:%", "a:%4", "a:%4g", "a:%4a", "a b:c"}) {
    INFO(none);
    CHECK(key_of("p", none) == std::nullopt);
  }
}

TEST_CASE("no two checkpoints have a key in common, nor with an index", "[redis]") {
  std::set<std::string> all;
  std::size_t expected = 0;
  std::vector<std::string> const names{"", ":", "a", "a:", ":a", "a:head", "%3A", "{", "}", "a}"};
  for (auto const& pipeline : names) {
    all.insert(redis::detail::index_of("weir", pipeline));
    ++expected;
    for (auto const& stream : names) {
      for (auto const& partition : names) {
        state_keys const k("weir", checkpoint_key(pipeline, stream, partition));
        all.insert({k.head, k.state, k.order});
        expected += 3;
      }
    }
  }
  CHECK(all.size() == expected);
}
