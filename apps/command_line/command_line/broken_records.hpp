#pragma once

#include <weir/file/options.hpp>
#include <weir/file/record.hpp>

#include <string>
#include <utility>

namespace command_line {

/// What a program does with records of a file that are not what it wants: the same as the file does with lines that are no records.
///
/// They fail the stream with `errc::malformed` and file, line and byte, or go to the dead letters of the policy.
class broken_records {
public:
  broken_records(std::string program, weir::file::broken_line_policy policy) : program_(std::move(program)), policy_(std::move(policy)) {}

  /// Returns when the record was a dead letter; it is then to be passed over. `why` is one sentence: what is wrong, what was expected.
  [[gnu::cold]] void refuse(weir::file::record const& record, std::string why) const;

private:
  std::string program_;
  weir::file::broken_line_policy policy_;
};

}  // namespace command_line
