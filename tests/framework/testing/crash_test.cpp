#include <weir/testing/crash.hpp>

#include <weir/error.hpp>
#include <weir/spawn.hpp>

#include "support/catch.hpp"

#include <boost/asio/io_context.hpp>

#include <exception>

using namespace weir;

// In a simulation: simulation_test.cpp.
TEST_CASE("outside a simulation nobody can crash", "[framework][simulation]") {
  boost::asio::io_context loop(1);
  std::exception_ptr failure;
  spawn(loop, testing::crash(), [&](std::exception_ptr e) { failure = std::move(e); });
  loop.run();
  REQUIRE(failure);
  try {
    std::rethrow_exception(failure);
  } catch (error const& e) {
    CHECK(e.code() == errc::misuse);
  }
}
