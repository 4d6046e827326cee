#include <weir/memory_state_store.hpp>

#include "conformance/state_store_conformance.hpp"

TEST_CASE("the store in memory does what a state store must do") {
  weir::test::state_store_conformance(std::make_unique<weir::memory_state_store>(),
                                      [](std::unique_ptr<weir::state_store> same) { return same; });
}
