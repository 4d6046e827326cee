#pragma once
#include <chrono>
#include <string>

namespace weir::test {

/// A certificate of its own authority, and its key, both in PEM form; made when it is asked for.
struct certificate {
  /// `names`: "DNS:localhost,IP:127.0.0.1". Valid from a day before to `valid_for` from now, which may be past.
  explicit certificate(std::string const& names, std::chrono::seconds valid_for = std::chrono::hours(1));

  std::string chain, key;
};

}  // namespace weir::test
