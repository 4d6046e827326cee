#pragma once
#include <weir/log.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

/// What a logger was told, each with its level: "warning: kinesis: ...".
class told {
public:
  logger log() {
    return logger(log_level::info, [this](log_level level, std::string_view text) {
      all.push_back(std::string(to_string(level)) + ": " + std::string(text));
    });
  }
  std::size_t count(std::string_view part) const {
    std::size_t out = 0;
    for (std::string const& one : all) out += one.find(part) != std::string::npos ? 1 : 0;
    return out;
  }
  std::vector<std::string> all;
};

}  // namespace weir::test
