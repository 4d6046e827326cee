#include <weir/run_again.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <stdexcept>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::script;

namespace {

settings quiet() {
  settings s;
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  return s;
}
retry_policy any(unsigned attempts) {
  return retry_policy().attempts(attempts).first_delay(1s).blur(jitter::none).when([](std::exception const&) { return true; });
}

}  // namespace

TEST_CASE("a failing handler runs again from the frontier, after the policy's delay", "[framework][middleware]") {
  std::vector<int> seen;
  std::vector<instant> starts;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
    pipeline.use(run_again(any(3))).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      starts.push_back(context.clock().now());
      while (int* x = co_await s.next()) {
        if (*x == 2 && context.attempt() < 3) throw std::runtime_error("poisoned");
        seen.push_back(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 3});
  REQUIRE(starts.size() == 3);
  CHECK(starts[1] - starts[0] == 1'000'000'000);
  CHECK(starts[2] - starts[1] == 2'000'000'000);
}

TEST_CASE("a record that fails again and again halts the partition after the last attempt", "[framework][middleware]") {
  int attempts = 0;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
    pipeline.use(run_again(any(4))).use_stream([&](stream<int> s, stream_context&) -> task<> {
      ++attempts;
      while (int* x = co_await s.next())
        if (*x == 2) throw std::runtime_error("poisoned");
    });
  });
  CHECK_THROWS_WITH(testing::run(app.serve()), "poisoned");
  CHECK(attempts == 4);
}

TEST_CASE("each record has its own attempts", "[framework][middleware]") {
  std::vector<int> seen;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4, 5, 6}), [&](auto& pipeline) {
    pipeline.use(run_again(any(2))).use_stream([&, tried = 0](stream<int> s, stream_context&) mutable -> task<> {
      while (int* x = co_await s.next()) {
        if (tried != *x) {
          tried = *x;
          throw std::runtime_error("first sight");
        }
        seen.push_back(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a failure that is not worth another try passes through", "[framework][middleware]") {
  int attempts = 0;
  application app(quiet());
  app.use_memory_stream(script<int>().element(1), [&](auto& pipeline) {
    pipeline.use(run_again()).use_stream([&](stream<int>, stream_context&) -> task<> {
      ++attempts;
      throw error(errc::malformed, "tick: cannot decode");
      co_return;
    });
  });
  CHECK_THROWS_AS(testing::run(app.serve()), error);
  CHECK(attempts == 1);
}
