#pragma once
#include <weir/message_sender.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// A sender for topics: lines of JSON at the end of a file, each as `message_line` writes it.
/// ```cpp
/// pipeline.use_topic("bar:closed", topic<bar>(std::make_shared<file::message_file>("closed.ndjson"), to_json));
/// ```
/// A batch is on the disk when it counts as delivered. What comes again, after a crash between file and checkpoint, is a second line with
/// the same pipeline, stream, partition, topic and number. Blocks the strand for each batch, while the disk writes. Errors: those of
/// `line_file`. Strand only, and one process at a time per file.
class message_file final : public message_sender {
public:
  /// Opens the file, or makes it, to see that it can be written.
  explicit message_file(std::string path);
  std::string_view kind() const noexcept override { return "file"; }
  task<> send(std::vector<message> batch) override;

private:
  std::string path_;
};

}  // namespace weir::file
