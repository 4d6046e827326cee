#pragma once

#include "kinesis_options.hpp"

#include <weir/file/ndjson_fields.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace kinesis_tool {

/// The partition keys of lines, as the command line says.
class record_keys {
public:
  explicit record_keys(options const& o);

  /// Null when the line has no key; then `why` is one sentence for people.
  std::optional<std::string> key_of(std::string_view line, std::string& why);

private:
  std::optional<std::string> of_field(std::string_view line, std::string& why);
  std::string any();

  key_choice how_;
  std::string fixed_;
  std::optional<weir::file::ndjson_fields> fields_;
  std::mt19937_64 random_{std::random_device()()};
};

}  // namespace kinesis_tool
