#include <weir/application.hpp>
#include <weir/assignment.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/split.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace weir;
using test::fails_with;
using test::keeping_in;
using testing::script;

namespace {

// Its only partition ends for good.
class closing final : public source<int> {
public:
  explicit closing(script<int> data) : data_(std::move(data)) {}
  std::string_view name() const noexcept override { return "closing"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<int> open(std::string partition, std::optional<position> after) override {
    return data_.play(std::move(partition), after ? after->offset() : 0);
  }
  std::optional<position> end_of(std::string const&) const override { return position(1'000); }

private:
  script<int> data_;
};

std::optional<position> stored(state_store& store) {
  auto body = [](state_store& s) -> task<std::optional<position>> {
    auto const saved = co_await s.load(checkpoint_key("test/closing", "closing", "0"));
    if (!saved) co_return std::nullopt;
    co_return saved->head.position;
  };
  return testing::run(body(store));
}

}  // namespace

// Dropping the state, or firing it early, would be wrong silently.
TEST_CASE("a partition that ends for good while operators have state is not finished, and its state is kept") {
  auto const store = std::make_shared<memory_state_store>();
  bool const behind_branches = GENERATE(false, true);  // ids of operators there begin with '(', as those of hosts do
  std::vector<int> sums;
  application app(keeping_in(store));
  app.use_source(std::make_shared<closing>(script<int>().elements({1, 2, 3})), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context&) -> task<> {
      stream<int> in = std::move(s);
      if (behind_branches) {
        auto halves = split(std::move(in), [](int x) { return x % 2 == 0; });
        in = merge(std::move(halves.matching), std::move(halves.rest));
      }
      auto out = std::move(in) | scan(0, std::plus<>()).named("total");
      while (int* x = co_await out.next()) sums.push_back(*x);
    });
  });
  fails_with(errc::misuse, [&] { testing::run(app.serve()); }, "closing", "partition 0", "total", "goes on in others");
  CHECK(sums.size() == 3);
  CHECK(sums.back() == 6);
  CHECK(stored(*store) == position(3));
}

TEST_CASE("a partition that ends for good is not finished where its source does not say whose keys are whose next") {
  auto const store = std::make_shared<memory_state_store>();
  application app(keeping_in(store));
  app.use_source(std::make_shared<closing>(script<int>().elements({1, 2, 3})), [](auto& pipeline) {
    pipeline.use_stream([](stream<int> s, stream_context&) -> task<> {
      auto out = std::move(s) | key_by([](int x) { return x; }) | scan(0, std::plus<>(), never_expires()).named("totals");
      while (co_await out.next()) {}
    });
  });
  fails_with(errc::misuse, [&] { testing::run(app.serve()); }, "closing", "totals", "goes on in others");
  CHECK(stored(*store) == position(3));
}
