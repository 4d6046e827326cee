#include <weir/memory_checkpoint_store.hpp>

#include "conformance/checkpoint_store_conformance.hpp"

TEST_CASE("the checkpoint store in memory does what every checkpoint store must do", "[framework][checkpoint]") {
  weir::test::checkpoint_store_conformance(std::make_unique<weir::memory_checkpoint_store>(),
                                           [](std::unique_ptr<weir::checkpoint_store> same) { return same; });
}
