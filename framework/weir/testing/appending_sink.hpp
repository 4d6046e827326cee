#pragma once
#include <weir/task.hpp>
#include <weir/testing/fault_script.hpp>

#include <string>
#include <vector>

namespace weir::testing {

/// A sink that adds whatever it is given to a list, as a queue or a log file does: what is written again is there twice. It outlives
/// crashes of what writes to it. Strand only.
class appending_sink {
public:
  explicit appending_sink(fault_script writes = fault_script("write"));
  /// Fails as the script says. Gives way to the event loop before and after.
  task<> write(std::string value);
  std::vector<std::string> const& contents() const noexcept { return contents_; }

private:
  fault_script writes_;
  std::vector<std::string> contents_;
};

}  // namespace weir::testing
