#pragma once
#include <weir/dead_letter_sink.hpp>

#include <memory>
#include <string>

namespace weir::file {

/// A sink for `failure_policy::dead_letter_to`: lines of JSON at the end of a file, each as `dead_letter_line` writes it.
/// ```cpp
/// pipeline.on_failure(failure_policy().dead_letter_to(std::make_shared<file::dead_letter_file>("dead.ndjson")));
/// ```
/// A letter is on the disk before the frontier passes its record: at least once. A crash between the two writes it a second time,
/// with the same pipeline, stream, partition and position; `weir dead-letters` takes such lines for one. Blocks the strand for each
/// letter, while the disk writes. Errors: those of `line_file`. Strand only, and one process at a time per file.
class dead_letter_file final : public dead_letter_sink {
public:
  /// Opens the file, or makes it, to see that it can be written.
  explicit dead_letter_file(std::string path);
  task<std::shared_ptr<store_write>> take(weir::dead_letter letter) override;

private:
  std::string path_;
};

}  // namespace weir::file
