#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>

#include <cstdint>
#include <string>

namespace weir {

/// A record that a pipeline has given up, with what is needed to look into it and to try it again. Pipeline, stream, partition and position
/// together are its identity: a record that is given up twice (after a crash, or a rewind) has the same.
struct dead_letter {
  dead_letter() = default;
  friend bool operator==(dead_letter const&, dead_letter const&) = default;

  std::string pipeline;        ///< as in checkpoints: "ticks/bars"
  std::string stream;          ///< what it reads: "file ticks.ndjson"
  std::string partition;       ///< which part of that
  weir::position position;     ///< where the record ends; the frontier has passed it
  std::string payload;         ///< its bytes, or the text which the pipeline makes of it
  std::string error;           ///< what the last attempt failed with
  std::string code;            ///< of that: category and number, "weir:9"; empty for exceptions without one
  std::uint64_t attempts = 0;  ///< how often in a row the handler failed while this was the first record that was not done
  instant died_at = 0;         ///< when it was given up, by the pipeline's clock
};

}  // namespace weir
