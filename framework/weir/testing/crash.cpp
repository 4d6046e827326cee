#include <weir/testing/crash.hpp>

#include <weir/error.hpp>
#include <weir/testing/simulation.hpp>

#include <coroutine>

namespace weir::testing {

task<> crash() {
  context& own = co_await current_context();
  auto* const world = dynamic_cast<simulation*>(&own.environment());
  if (!world) throw error(errc::misuse, "testing: cannot crash", "the work does not run in a simulation", "run it by testing::simulation");
  world->crash();
  co_await std::suspend_always();
}

}  // namespace weir::testing
