// The program of libFuzzer: WEIR_FUZZ names the target.
#include "fuzz/targets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

weir::test::fuzz_target const* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  char const* const name = std::getenv("WEIR_FUZZ");
  for (auto const& target : weir::test::fuzz_targets())
    if (name != nullptr && target.name == name) chosen = &target;
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "fuzzer: WEIR_FUZZ names no target\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  chosen->run(std::string_view(reinterpret_cast<char const*>(data), size));
  return 0;
}
