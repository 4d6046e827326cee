// What is committed when a source fails, and while it is quiet.
#include <weir/application.hpp>
#include <weir/fused_stream.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/stage.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::keeping_in;
using testing::script;

namespace {

// The sum so far, in a state: nobody can tell from outside how much of a chunk is done.
class running_sum : public forwards_marks {
public:
  std::string_view state_id() const { return "sum"; }
  bool element(int& x, auto t, auto down) {
    sum_ += x;
    int y = sum_;
    return down.element(y, t);
  }
  void save(std::vector<std::byte>& to) const { to.push_back(static_cast<std::byte>(sum_)); }
  void restore(std::span<std::byte const> from) { sum_ = std::to_integer<int>(from[0]); }

private:
  int sum_ = 0;
};

// Gives an element when it has been quiet for three seconds behind it, as a window does that the clock closes.
class when_quiet : public forwards_marks {
public:
  std::string_view state_id() const { return "when quiet"; }
  bool element(int& x, auto, auto) {
    kept_ = x;
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::idle && m.time >= 3'000'000'000 && kept_) {
      int given = *kept_;
      kept_.reset();
      down.element(given, untimed{});
    }
    return down.mark(m);
  }
  void save(std::vector<std::byte>& to) const {
    if (kept_) to.push_back(static_cast<std::byte>(*kept_));
  }
  void restore(std::span<std::byte const> from) {
    if (!from.empty()) kept_ = std::to_integer<int>(from[0]);
  }

private:
  std::optional<int> kept_;
};

template <class Stage> void write_through(application& app, script<int> const& input, memory_table<int> const& table) {
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_sink("out", table).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto all = std::move(s) | simple_stage<Stage, unchanged>(Stage());
      while (int* const x = co_await all.next()) co_await context.sink<int>("out").write(*x);
    });
  });
}

std::optional<position> stored(state_store& store) {
  auto body = [](state_store& s) -> task<std::optional<position>> {
    auto const saved = co_await s.load(checkpoint_key("test/memory", "memory", "0"));
    if (!saved) co_return std::nullopt;
    co_return saved->head.position;
  };
  return testing::run(body(store));
}

}  // namespace

TEST_CASE("what came before a failure of the source is committed first, with its state and its rows", "[framework][application]") {
  auto const kept = std::make_shared<memory_state_store>();
  memory_table<int> const table(kept);
  auto const input = script<int>().elements({1, 2}).element(3).fail("connection lost").fail("and again").elements({4, 5});
  auto const run = [&] {
    application app(keeping_in(kept, 1000));
    write_through<running_sum>(app, input, table);
    testing::run(app.serve());
  };
  CHECK_THROWS_WITH(run(), Catch::Contains("connection lost"));
  CHECK(stored(*kept) == position(3));
  CHECK(table.rows() == std::vector<int>{1, 3, 6});
  CHECK_THROWS_WITH(run(), Catch::Contains("and again"));  // nothing came before this one
  CHECK(stored(*kept) == position(3));
  run();
  CHECK(stored(*kept) == position(5));
  CHECK(table.rows() == std::vector<int>{1, 3, 6, 10, 15});
}

TEST_CASE("rows that come of the quiet of a stream are committed while it is quiet", "[framework][application]") {
  auto const kept = std::make_shared<memory_state_store>();
  memory_table<int> const table(kept);
  std::vector<int> seen;
  application app(keeping_in(kept, 1000));
  write_through<when_quiet>(app, script<int>().elements({1, 2}).quiet(10s).element(3), table);
  app.use_memory_stream(script<int>("watch").wait(5s).element(0), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context&) -> task<> {
      while (co_await s.next()) seen = table.rows();
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{2});
}
