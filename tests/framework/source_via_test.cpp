#include <weir/source_via.hpp>

#include <weir/application.hpp>
#include <weir/from.hpp>
#include <weir/memory/source.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using test::keeping_in;

namespace {

// Writes down what it is asked, and answers nothing that is a default.
class asked final : public source<int> {
public:
  mutable std::vector<std::string> story;

  std::string_view name() const noexcept override { return "asked"; }
  std::vector<std::string> partitions() const override { return {"a", "b"}; }
  stream<int> open(std::string partition, std::optional<position> after) override {
    story.push_back("open " + partition + " behind " + after->text());
    return from(std::vector<int>{1, 2});
  }
  stream<assignment> assignments(assignment_view& /*pipeline*/) override {
    story.emplace_back("assignments");
    return from(std::vector<assignment>{assignment(assignment_kind::lost, "a")});
  }
  void ended(std::string const& partition, partition_end how) noexcept override {
    story.push_back("ended " + partition + (how == partition_end::halted ? " halted" : ""));
  }
  task<> attend(assignment_view& /*pipeline*/) override {
    story.emplace_back("attend");
    co_return;
  }
  void drains() noexcept override { story.emplace_back("drains"); }
  std::optional<position> end_of(std::string const& partition) const override { return position(partition.size() + 40); }
  std::optional<std::uint64_t> unread(std::string const& partition) const override { return partition.size() + 7; }
  bool knows_heirs() const noexcept override { return true; }
  std::vector<predecessor> predecessors(std::string const& partition) const override { return {predecessor("before " + partition, false)}; }
  std::vector<std::string> heirs(std::string const& partition) const override { return {"behind " + partition}; }
  bool owns(std::string const& partition, std::string_view partition_key) const override { return partition == partition_key; }
};

class nobody final : public assignment_view {
public:
  task<std::optional<position>> committed(std::string /*partition*/) override { co_return std::nullopt; }
  std::optional<position> reached(std::string const& /*partition*/) const override { return std::nullopt; }
  task<fenced_partition> fence(std::string /*partition*/, std::optional<position> /*elsewhere*/) override { co_return fenced_partition(); }
  bool draining() const noexcept override { return false; }
  bool over() const noexcept override { return false; }
};

template <class T> task<std::vector<T>> all_of(stream<T> in) {
  std::vector<T> out;
  while (T* const x = co_await in.next()) out.push_back(std::move(*x));
  co_return out;
}

stream<std::string> in_words(stream<int> in) {
  while (int const* const x = co_await in.next()) co_yield "number " + std::to_string(*x);
}
stream<int> dozens_by(stream<int> in) {
  while (int const* const x = co_await in.next()) {
    if (*x == 0) throw std::runtime_error("nothing to divide by");
    co_yield 12 / *x;
  }
}

}  // namespace

TEST_CASE("a source of other elements says of its partitions all that the one it is made of says", "[source]") {
  auto const of = std::make_shared<asked>();
  std::shared_ptr<source<std::string>> const made = source_via<std::string>(of, in_words);
  nobody view;
  CHECK(made->name() == "asked");
  CHECK(made->partitions() == std::vector<std::string>{"a", "b"});
  CHECK(testing::run(all_of(made->open("a", position(7)))) == std::vector<std::string>{"number 1", "number 2"});
  CHECK(testing::run(all_of(made->assignments(view))) == std::vector<assignment>{assignment(assignment_kind::lost, "a")});
  testing::run(made->attend(view));
  made->drains();
  made->ended("b", partition_end::halted);
  CHECK(of->story == std::vector<std::string>{"open a behind 7", "assignments", "attend", "drains", "ended b halted"});
  CHECK(made->end_of("ab") == position(42));
  CHECK(made->knows_heirs());
  CHECK(made->predecessors("c") == std::vector<predecessor>{predecessor("before c", false)});
  CHECK(made->unread("abc") == 10);
  CHECK(made->heirs("d") == std::vector<std::string>{"behind d"});
  CHECK(made->owns("a", "a"));
  CHECK_FALSE(made->owns("a", "b"));
}

TEST_CASE("what a source's flow fails with fails the source, behind what is committed", "[source]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const numbers = std::make_shared<memory::source<int>>(testing::script<int>("numbers").elements({1, 2, 0, 4}));
  std::vector<int> seen;
  application app(keeping_in(store));
  app.use_source(source_via<int>(numbers, dozens_by), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context&) -> task<> {
      while (int const* const x = co_await s.next()) seen.push_back(*x);
    });
  });
  CHECK_THROWS_WITH(testing::run(app.serve()), Catch::Contains("nothing to divide by"));
  CHECK(seen == std::vector<int>{12, 6});
  auto const saved = testing::run(store->load(checkpoint_key("test/numbers", "numbers", "0")));
  REQUIRE(saved);
  CHECK(saved->head.position == position(2));
}
