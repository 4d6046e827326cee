#include <weir/checkpoint_history.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/rfc3339.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::keeping_in;
using testing::script;

namespace {

instant const noon = parse_rfc3339("2024-08-08T12:00:00Z").value();
instant after_noon(std::chrono::nanoseconds d) { return noon + d.count(); }

// What a store would have.
struct kept {
  std::map<std::string, std::vector<std::byte>> all;
  void take(std::vector<state_change> const& changes) {
    for (state_change const& c : changes) {
      CHECK(c.entry.operator_id == history_id);
      if (c.kind == state_change_kind::put) all[c.entry.key] = c.entry.value;
      else all.erase(c.entry.key);
    }
  }
  std::vector<state_entry> entries() const {
    std::vector<state_entry> out;
    for (auto const& [key, value] : all) out.emplace_back(std::string(history_id), key, value);
    return out;
  }
};

saved_checkpoint stored(state_store& store) {
  auto body = [](state_store& s) -> task<saved_checkpoint> {
    co_return (co_await s.load(checkpoint_key("test/memory", "memory", "0"))).value();
  };
  return testing::run(body(store));
}

}  // namespace

TEST_CASE("a checkpoint knows where it stood: by minutes for an hour, by hours for two days, by days for a month", "[framework][history]") {
  checkpoint_history history;
  kept store;
  std::chrono::nanoseconds const length = 40 * 24h;
  for (std::chrono::nanoseconds t = 0s; t != length; t += 20s) {
    std::vector<state_change> changes;
    history.replaced(past_checkpoint(after_noon(t), position(static_cast<std::uint64_t>(t / 1s))), after_noon(t + 20s), changes);
    store.take(changes);
  }
  instant const now = after_noon(length);
  std::size_t minutes = 0, hours = 0, days = 0;
  for (past_checkpoint const& p : history.all()) {
    CHECK(p.position == position(static_cast<std::uint64_t>((p.written_at - noon) / 1'000'000'000)));
    auto const age = std::chrono::nanoseconds(now - p.written_at);
    CHECK(age <= 31 * 24h + 1min);
    ++(age <= 1h ? minutes : age <= 48h ? hours : days);
  }
  CHECK((minutes == 60 || minutes == 59));
  CHECK((hours == 47 || hours == 48));
  CHECK((days == 29 || days == 30));

  std::vector<state_entry> entries = store.entries();
  entries.emplace_back("(a)", "", std::vector<std::byte>());
  entries.emplace_back("window", "", std::vector<std::byte>());
  std::ranges::stable_sort(entries, {}, &state_entry::operator_id);
  checkpoint_history again;
  again.load(entries);
  CHECK(again.all() == history.all());
  CHECK(entries.size() == 2);
}

TEST_CASE("what came behind a position is forgotten when the checkpoint is set back", "[framework][history]") {
  checkpoint_history history;
  kept store;
  std::vector<state_change> changes;
  for (unsigned i = 0; i != 3; ++i)
    history.replaced(past_checkpoint(after_noon(i * 1min), position(10 * (1 + i))), after_noon(i * 1min), changes);
  history.set_back(position(20), changes);
  store.take(changes);
  CHECK(store.all.size() == 2);
  CHECK(history.all() == std::vector{past_checkpoint(noon, position(10)), past_checkpoint(after_noon(1min), position(20))});
}

TEST_CASE("a history that cannot be read is corrupt", "[framework][history]") {
  checkpoint_history history;
  for (auto const& [key, value] : {std::pair("yesterday", "1"), std::pair("2024-08-08T12:00:00.000Z", "here")}) {
    std::vector<state_entry> entries;
    std::vector<std::byte> bytes;
    for (char const* c = value; *c != 0; ++c) bytes.push_back(std::byte(*c));
    entries.emplace_back(std::string(history_id), key, bytes);
    fails_with(errc::corrupt, [&] { history.load(entries); }, key);
  }
}

TEST_CASE("a pipeline writes where its checkpoint stood, and a restart goes on with that", "[framework][history]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const run = [&](script<int> data) {
    application app(keeping_in(store));
    app.use_memory_stream(std::move(data), [](auto& pipeline) {
      pipeline.use_stream([](stream<int> s, cancellation) -> task<> {
        while (co_await s.next()) {}
      });
    });
    testing::run(app.serve());
  };
  auto const history = [&] {
    checkpoint_history out;
    std::vector<state_entry> entries = stored(*store).entries;
    out.load(entries);
    CHECK(entries.empty());
    return out.all();
  };
  run(script<int>().element(1).wait(10min).element(2).wait(10min).element(3));
  auto const first = history();
  REQUIRE(first.size() == 2);
  CHECK(first[0].position == position(1));
  CHECK(first[1].position == position(2));
  CHECK(first[1].written_at - first[0].written_at >= std::chrono::nanoseconds(9min).count());
  run(script<int>().elements({1, 2, 3}).element(4));
  auto const second = history();
  REQUIRE(second.size() == 3);
  CHECK(second[0] == first[0]);
  CHECK(second[1] == first[1]);
  CHECK(second[2].position == position(3));
}
