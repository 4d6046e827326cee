#pragma once
#include "support/shared_data.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace weir::test {

/// A file of what emulators have sent, or nothing where it is absent.
inline std::optional<std::string> kinesis_capture(std::string const& name) {
  auto const data = shared_data();
  if (!data) return std::nullopt;
  std::ifstream in(*data / "captures" / "kinesis" / name, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}
/// The body of a captured message.
inline std::optional<std::string> kinesis_capture_body(std::string const& name) {
  auto const all = kinesis_capture(name);
  return all ? std::optional(all->substr(all->find("\r\n\r\n") + 4)) : std::nullopt;
}

}  // namespace weir::test
