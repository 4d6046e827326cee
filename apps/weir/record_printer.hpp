#pragma once

#include "text.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace state_tool {

/// Prints records as lines, up to so many, each at once: the reader of a pipe has it when it is there.
class record_printer {
public:
  /// `most`: null: no end.
  record_printer(bool json, std::optional<std::uint64_t> most) noexcept
      : json_(json), left_(most.value_or(std::numeric_limits<std::uint64_t>::max())) {}

  /// There have been as many as asked for; no more are printed.
  bool is_done() const noexcept { return left_ == 0; }
  /// Whether they are objects of JSON.
  bool is_json() const noexcept { return json_; }
  /// Throws `weir::error` when standard output cannot be written, with the system's code.
  void print(std::string_view data);
  void print(json_line line);

private:
  void finish();
  bool json_;
  std::uint64_t left_;
};

}  // namespace state_tool
