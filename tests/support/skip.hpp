#pragma once
#include <string_view>

namespace weir::test {

/// Reports the running test as skipped: prints `SKIPPED: <test>: <reason>`, which tests/run counts and lists. Returns true, so that a test
/// reads `if (!data && weir::test::skip("no shared data")) return;`.
bool skip(std::string_view reason);

}  // namespace weir::test
