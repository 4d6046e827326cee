#pragma once
#include "support/shared_data.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace weir::test {

/// The vendor's sample events, by the names of their files.
inline constexpr std::array<char const*, 6> lambda_samples{"kinesis-event.json",  "kinesis-time-window-event.json",
                                                           "dynamodb-event.json", "dynamodb-time-window-event.json",
                                                           "sqs-event.json",      "kafka-event.json"};

/// One of them, or nothing where the data are absent.
inline std::optional<std::string> lambda_sample(std::string const& name) {
  auto const data = shared_data();
  if (!data) return std::nullopt;
  std::ifstream in(*data / "lambda-events" / name, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace weir::test
