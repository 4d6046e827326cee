#pragma once
#include <weir/testing/mishap.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::testing {

/// What `delivery_check` has found.
struct delivery_report {
  delivery_report() = default;
  bool passed() const noexcept { return lost.empty() && doubled.empty() && unexpected.empty() && conflicts.empty() && failure.empty(); }
  /// All of it, for people: `INFO(report.text()); CHECK(report.passed());`.
  std::string text() const;

  // The trial that failed; the first of the shortest ones. Effects are "identity = value", or the value where there is no identity.
  delivery_schedule schedule;           ///< what went wrong in it: `check.run_only(report.schedule)` does it again
  std::vector<std::string> lost;        ///< effects that were expected and did not happen
  std::vector<std::string> doubled;     ///< effects that happened more often than once, where once was asked for
  std::vector<std::string> unexpected;  ///< effects that nobody expected
  std::vector<std::string> conflicts;   ///< effects with one identity and several values
  std::string failure;                  ///< why it did not end; empty: it did
  std::vector<std::string> log;         ///< what happened in it, step by step

  // How much was tried.
  std::uint64_t seed = 0;    ///< of the order of events
  std::uint64_t trials = 0;  ///< runs with all their restarts
  std::uint64_t steps = 0;   ///< of the run in which nothing goes wrong; so are the three below
  std::uint64_t reads = 0, writes = 0, commits = 0;
};

}  // namespace weir::testing
