// What the check lets pass, and what it finds: pipelines that are broken on purpose, and nothing else in the library is.
#include <weir/testing/delivery_check.hpp>

#include <weir/failure_policy.hpp>
#include <weir/fused_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/sleep.hpp>
#include <weir/stage.hpp>

#include "support/catch.hpp"
#include "support/forwarding_store.hpp"

#include <algorithm>
#include <coroutine>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::appending_sink;
using testing::check_delivery;
using testing::delivery_check;
using testing::delivery_report;
using testing::fault;
using testing::idempotent_sink;
using testing::mishap;
using testing::script;

namespace {

using contents = std::map<std::string, std::string>;
using lines = std::vector<std::string>;

// 1 to 9, in chunks of different sizes.
script<int> nine() { return script<int>().element(1).elements({2, 3, 4}).wait(2s).element(5).elements({6, 7}).elements({8, 9}); }
contents all_nine() {
  contents out;
  for (int i = 1; i != 10; ++i) out.emplace(std::to_string(i), "done");
  return out;
}

task<> copy(stream<int> s, stream_context&, idempotent_sink& out) {
  while (int* const x = co_await s.next()) co_await out.write(std::to_string(*x), "done");
}
task<> append(stream<int> s, stream_context&, appending_sink& out) {
  while (int* const x = co_await s.next()) co_await out.write(std::to_string(*x));
}

void check_passes(delivery_report const& report) {
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 100);
  CHECK(report.commits > 3);
}
// It fails when this goes wrong.
void check_found(delivery_report const& report, testing::delivery_schedule const& expected) {
  INFO(report.text());
  CHECK_FALSE(report.passed());
  CHECK(testing::text(report.schedule) == testing::text(expected));
}

// The sum so far, in a state that is saved as a whole.
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
auto summed() { return simple_stage<running_sum, unchanged>(running_sum()); }

task<> sums(stream<int> s, stream_context&, idempotent_sink& out) {
  auto all = std::move(s) | summed();
  while (int* const x = co_await all.next()) co_await out.write(std::to_string(*x), "reached");
}
contents all_sums() {
  contents out;
  for (int i = 1; i != 10; ++i) out.emplace(std::to_string(i * (i + 1) / 2), "reached");
  return out;
}

// Rings for each x when x + 3 comes, or the data ends: a stage with timers, the counted time being the elements.
class alarms {
public:
  explicit alarms(bool forgets) noexcept : forgets_(forgets) {}
  std::string_view state_id() const { return "alarms"; }
  bool element(int& x, auto t, auto down) {
    set_.push_back(x + 3);
    return ring(x, t, down);
  }
  bool mark(weir::mark const& m, auto down) { return down.mark(m); }
  bool finish(auto down) { return down.finish(); }
  void save(std::vector<std::byte>& to) const {
    for (int const at : set_) to.push_back(static_cast<std::byte>(at));
  }
  void restore(std::span<std::byte const> from) {
    if (forgets_) return;
    for (std::byte const b : from) set_.push_back(std::to_integer<int>(b));
  }

private:
  bool ring(int now, auto t, auto down) {
    bool more = true;
    while (!set_.empty() && set_.front() <= now) {
      int at = set_.front();
      set_.erase(set_.begin());
      more = down.element(at, t) && more;
    }
    return more;
  }
  std::vector<int> set_;
  bool forgets_;
};
template <bool forgets> task<> ring(stream<int> s, stream_context&, idempotent_sink& out) {
  auto rung = std::move(s) | simple_stage<alarms, unchanged>(alarms(forgets));
  while (int* const x = co_await rung.next()) co_await out.write("alarm " + std::to_string(*x), "rung");
}
contents all_alarms() {
  contents out;
  for (int i = 4; i != 10; ++i) out.emplace("alarm " + std::to_string(i), "rung");
  return out;
}

}  // namespace

TEST_CASE("a plain handler loses nothing, and has each effect once where effects have identities", "[framework][delivery]") {
  auto const report = delivery_check(nine(), copy).expect(all_nine()).run();
  check_passes(report);
  CHECK(report.writes == 9);
  CHECK(report.reads == 6);
  CHECK(report.text().find("delivery: nothing is lost") == 0);
}

TEST_CASE("it can be called in one line, with the undisturbed run as what is expected", "[framework][delivery]") {
  check_passes(check_delivery(nine(), copy));
  check_passes(check_delivery(nine(), append));
}

TEST_CASE("every seed is an order of events of its own, and the same one each time", "[framework][delivery]") {
  for (std::uint64_t seed = 1; seed != 4; ++seed) {
    delivery_check check(
        script<int>().partition("a").elements({1, 2}).element(3).element(4).partition("b").element(5).elements({6, 7}).element(8), append);
    auto const report = check.expect_list({"1", "2", "3", "4", "5", "6", "7", "8"}).seed(seed).pairs(30).run();
    check_passes(report);
    CHECK(report.seed == seed);
    CHECK(check.run().trials == report.trials);
    CHECK(check.run_only({mishap::crash_after_step(9)}).log == check.run_only({mishap::crash_after_step(9)}).log);
  }
}

TEST_CASE("sources that fail, and state in stages, are no excuse", "[framework][delivery]") {
  check_passes(delivery_check(
                   script<int>().elements({1, 2, 3}).fail("down").elements({4, 5}).element(6).fail("down again").elements({7, 8, 9}), copy)
                   .expect(all_nine())
                   .run());
  check_passes(delivery_check(nine(), sums).expect(all_sums()).run());
  check_passes(delivery_check(nine(), ring<false>).expect(all_alarms()).commit({.records = 1, .every = 1s}).run());
}

TEST_CASE("an application of several pipelines is checked as a whole", "[framework][delivery]") {
  delivery_check check([](application& app, testing::delivery_trial& trial) {
    idempotent_sink& out = trial.idempotent();
    app.use_source(trial.source(script<int>("a").elements({1, 2}).element(3)), [&](auto& pipeline) {
      pipeline.use_stream([&out](stream<int> s, stream_context& c) { return copy(std::move(s), c, out); });
    });
    app.use_source(trial.source(script<std::string>("b").element("x").fail("down").element("y")), [&](auto& pipeline) {
      pipeline.use_stream([&out](stream<std::string> s, stream_context&) -> task<> {
        while (std::string* const x = co_await s.next()) co_await out.write(*x, "seen");
      });
    });
  });
  check_passes(check.expect({{"1", "done"}, {"2", "done"}, {"3", "done"}, {"x", "seen"}, {"y", "seen"}}).run());
}

TEST_CASE("a handler that is run again within the process is as safe", "[framework][delivery]") {
  delivery_check check([](application& app, testing::delivery_trial& trial) {
    app.use_source(trial.source(nine()), [&](auto& pipeline) {
      pipeline.on_failure(failure_policy().retry(retry_policy())).use_stream([&out = trial.idempotent()](stream<int> s, stream_context& c) {
        return sums(std::move(s), c, out);
      });
    });
  });
  check_passes(check.expect(all_sums()).run());
}

namespace {

// A table and a store that are no part of the trial.
class outside_table final : public testing::kept_outside {
public:
  explicit outside_table(bool forgets) : forgets_(forgets) { make(); }
  void clear() override {
    if (!forgets_) left_ = rows();
    make();
  }
  std::shared_ptr<state_store> open() override {
    CHECK(open_++ == 0);
    ++starts_;
    return kept_;
  }
  void close() override { CHECK(--open_ == 0); }
  lines rows() override {
    lines all = left_;
    all.insert(all.end(), table_->rows().begin(), table_->rows().end());
    return all;
  }

  memory_table<std::string> const& table() const { return *table_; }
  std::size_t starts() const noexcept { return starts_; }

private:
  void make() {
    kept_ = std::make_shared<memory_state_store>();
    table_.emplace(kept_);
  }
  bool forgets_;
  lines left_;
  std::shared_ptr<memory_state_store> kept_;
  std::optional<memory_table<std::string>> table_;
  int open_ = 0;
  std::size_t starts_ = 0;
};
delivery_check into(std::shared_ptr<outside_table> const& place) {
  delivery_check check([place](application& app, testing::delivery_trial& trial) {
    app.use_source(trial.source(nine()), [&](auto& pipeline) {
      pipeline.use_sink("out", place->table()).use_stream([](stream<int> s, stream_context& context) -> task<> {
        auto all = std::move(s) | summed();
        while (int* const x = co_await all.next()) {
          std::string const row = std::to_string(*x);
          co_await context.sink<std::string>("out").write(row);
        }
      });
    });
  });
  lines expected;
  for (auto const& sum : all_sums()) expected.push_back(sum.first);
  check.kept_in(place).expect_list(expected).exactly_once().pairs(40);
  return check;
}

}  // namespace

TEST_CASE("what is kept outside is judged as what the trial keeps, and is opened for each start of the process", "[framework][delivery]") {
  auto const place = std::make_shared<outside_table>(true);
  delivery_check check = into(place);
  delivery_report const report = check.run();
  check_passes(report);
  CHECK(place->starts() > report.trials);
  CHECK(check.run_only({mishap::crash_after_step(9)}).log == check.run_only({mishap::crash_after_step(9)}).log);
  // So many trials, drawn by the seed, and the one in which nothing goes wrong.
  CHECK(check.singles(30).pairs(5).run().trials == 36);
}

// From here on: what it finds.

TEST_CASE("found: what is kept outside and is not what a trial begins with", "[framework][delivery]") {
  auto const report = into(std::make_shared<outside_table>(false)).run();
  INFO(report.text());
  CHECK_FALSE(report.doubled.empty());
}

TEST_CASE("found: a handler that asks for more before its effect is out", "[framework][delivery]") {
  delivery_check check(nine(), [](stream<int> s, stream_context&, idempotent_sink& out) -> task<> {
    std::optional<int> held;
    while (int* const x = co_await s.next()) {
      int const got = *x;
      if (held) co_await out.write(std::to_string(*held), "done");
      held = got;
    }
    if (held) co_await out.write(std::to_string(*held), "done");
  });
  auto const report = check.expect(all_nine()).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK(report.schedule[0].where() == mishap::place::step);
  CHECK(report.lost == lines{"4 = done"});  // the first commit is behind 4
  CHECK(report.unexpected.empty());
  // It is the first step from which it fails, and it does so again.
  std::uint64_t const step = report.schedule[0].nth();
  CHECK(check.run_only({mishap::crash_after_step(step - 1)}).passed());
  CHECK(check.run_only(report.schedule).lost == report.lost);
  std::string const text = report.text();
  CHECK(text.find("crash after step " + std::to_string(step)) != std::string::npos);
  CHECK(text.find("seed 1") != std::string::npos);
  CHECK(text.find("lost:\n    4 = done") != std::string::npos);
  CHECK(text.find("the process crashes\n    the process starts") != std::string::npos);
}

TEST_CASE("found: a frontier that is one too far", "[framework][delivery]") {
  class one_too_far final : public test::forwarding_store {
  public:
    using forwarding_store::forwarding_store;
    task<> commit(checkpoint_key key, checkpoint_update update) override {
      update.head.position = position(update.head.position.offset() + 1);
      return forwarding_store::commit(std::move(key), std::move(update));
    }
  };
  auto const report =
      delivery_check(nine(), copy).expect(all_nine()).store([](auto inside) { return std::make_shared<one_too_far>(inside); }).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK(report.lost == lines{"5 = done"});
}

TEST_CASE("found: a store that moves the frontier first, and the state with the next commit", "[framework][delivery]") {
  class state_later final : public test::forwarding_store {
  public:
    using forwarding_store::forwarding_store;
    task<> commit(checkpoint_key key, checkpoint_update update) override {
      std::swap(update.changes, later_);
      return forwarding_store::commit(std::move(key), std::move(update));
    }

  private:
    std::vector<state_change> later_;
  };
  auto const report =
      delivery_check(nine(), sums).expect(all_sums()).store([](auto inside) { return std::make_shared<state_later>(inside); }).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK_FALSE(report.lost.empty());
  CHECK(std::ranges::find(report.lost, "45 = reached") != report.lost.end());
  CHECK_FALSE(report.unexpected.empty());
}

TEST_CASE("found: a stage that forgets its timers when it is restored", "[framework][delivery]") {
  auto const report = delivery_check(nine(), ring<true>).expect(all_alarms()).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK_FALSE(report.lost.empty());
  CHECK(report.unexpected.empty());
}

TEST_CASE("found: a list where each effect is to be there once", "[framework][delivery]") {
  delivery_check check(nine(), append);
  CHECK(check.run().passed());
  auto const report = check.exactly_once().run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK(report.lost.empty());
  CHECK(report.doubled == lines{"1"});
}

TEST_CASE("found: identities that a restart does not find again", "[framework][delivery]") {
  auto const report = check_delivery(nine(), [](stream<int> s, stream_context&, idempotent_sink& out) -> task<> {
    int number = 0;
    while (int* const x = co_await s.next()) co_await out.write(std::to_string(++number), std::to_string(*x));
  });
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK(report.conflicts == lines{"1: 1, then 5", "2: 2, then 6", "3: 3, then 7", "4: 4, then 8"});
}

TEST_CASE("found: a handler that takes no notice of a write that failed", "[framework][delivery]") {
  auto const report = check_delivery(nine(), [](stream<int> s, stream_context&, idempotent_sink& out) -> task<> {
    while (int* const x = co_await s.next()) {
      try {
        co_await out.write(std::to_string(*x), "done");
      } catch (error const&) {}
    }
  });
  check_found(report, {mishap::at_write(1, fault::fail)});
  CHECK(report.lost == lines{"1 = done"});
}

TEST_CASE("found: a fault that takes two mishaps; neither of them can be left out", "[framework][delivery]") {
  // The second restart misses an element.
  class counts_starts final : public test::forwarding_store {
  public:
    using forwarding_store::forwarding_store;
    task<std::optional<saved_checkpoint>> load(checkpoint_key key) override {
      std::optional<saved_checkpoint> const starts = co_await forwarding_store::load(checkpoint_key("starts", "", ""));
      std::uint64_t const before = starts ? starts->head.version : 0;
      co_await forwarding_store::commit(checkpoint_key("starts", "", ""),
                                        checkpoint_update(checkpoint_head(position(1), 0, before + 1, "me")));
      std::optional<saved_checkpoint> found = co_await forwarding_store::load(std::move(key));
      if (found && before == 2) found->head.position = position(found->head.position.offset() + 1);
      co_return found;
    }
  };
  delivery_check check(nine(), copy);
  auto const report = check.expect(all_nine()).store([](auto inside) { return std::make_shared<counts_starts>(inside); }).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 2);
  CHECK_FALSE(report.lost.empty());
  CHECK(check.run_only({report.schedule[0]}).passed());
  CHECK(check.run_only({report.schedule[1]}).passed());
}

TEST_CASE("found: what is wrong without any mishap", "[framework][delivery]") {
  contents expected = all_nine();
  expected.erase("3");
  expected["10"] = "done";
  auto const other = delivery_check(nine(), copy).expect(expected).run();
  check_found(other, {});
  CHECK(other.lost == lines{"10 = done"});
  CHECK(other.unexpected == lines{"3 = done"});

  auto const idle = [](stream<int> s, stream_context&, appending_sink&) -> task<> {
    while (co_await s.next()) {}
  };
  auto const silent = check_delivery(nine(), idle);
  check_found(silent, {});
  CHECK(silent.failure.find("nothing to compare") != std::string::npos);
  CHECK(delivery_check(nine(), idle).expect_list({}).pairs(10).run().passed());

  auto const stalls = check_delivery(nine(), [](stream<int> s, stream_context&, appending_sink&) -> task<> {
    co_await s.next();
    co_await std::suspend_always();
  });
  check_found(stalls, {});
  CHECK(stalls.failure.find("stalled") != std::string::npos);

  auto const fails = check_delivery(nine(), [](stream<int> s, stream_context&, appending_sink&) -> task<> {
    co_await s.next();
    throw std::runtime_error("poisoned");
  });
  check_found(fails, {});
  CHECK(fails.failure == "it fails however often it is started: poisoned");

  auto const endless = check_delivery(script<int>().element(1), [](stream<int> s, stream_context&, appending_sink&) -> task<> {
    while (co_await s.next()) {}
    for (;;) co_await sleep_for(1s);
  });
  check_found(endless, {});
  CHECK(endless.failure.find("has not ended") != std::string::npos);
}
