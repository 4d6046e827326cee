#include "fuzz/targets.hpp"

#include <array>

namespace weir::test {

std::span<fuzz_target const> fuzz_targets() {
  static constexpr std::array<fuzz_target, 9> all{{
      {"values", fuzz_values},
      {"frames", fuzz_frames},
      {"messages", fuzz_messages},
      {"sasl", fuzz_sasl},
      {"connection", fuzz_connection},
      {"hub_session", fuzz_hub_session},
      {"records", fuzz_records},
      {"connection_strings", fuzz_connection_strings},
      {"blobs", fuzz_blobs},
  }};
  return all;
}

}  // namespace weir::test
