#pragma once

#include <weir/file/ndjson_fields.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace state_tool {

/// Which partition keys lines have.
enum class key_choice : std::uint8_t { none, random, fixed, field };

/// The partition keys of lines, as the command line says.
class line_keys {
public:
  /// `key`: of `fixed` the key, of `field` the field's name.
  line_keys(key_choice how, std::string key);

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

}  // namespace state_tool
