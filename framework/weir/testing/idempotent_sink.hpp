#pragma once
#include <weir/task.hpp>
#include <weir/testing/fault_script.hpp>

#include <map>
#include <string>
#include <vector>

namespace weir::testing {

/// A sink that keeps one value per identity, as a table with a key does: the same write again changes nothing. It outlives crashes of
/// what writes to it. The same identity with another value is a conflict: what was to be one effect are two. Strand only.
class idempotent_sink {
public:
  explicit idempotent_sink(fault_script writes = fault_script("write"));
  /// Fails as the script says. Gives way to the event loop before and after.
  task<> write(std::string identity, std::string value);
  /// The same for functions that cannot wait, as side outputs of operators: it is there at once, and no call that could fail.
  void put(std::string identity, std::string value);
  /// By identity; where there was a conflict, the last value.
  std::map<std::string, std::string> const& contents() const noexcept { return contents_; }
  /// "bar 3: 17, then 18".
  std::vector<std::string> const& conflicts() const noexcept { return conflicts_; }

private:
  void keep(std::string identity, std::string value);
  fault_script writes_;
  std::map<std::string, std::string> contents_;
  std::vector<std::string> conflicts_;
};

}  // namespace weir::testing
