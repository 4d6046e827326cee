#pragma once
#include <weir/file/options.hpp>
#include <weir/file/record.hpp>
#include <weir/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// Files as a source: each path is a partition, each line that is no header a record, in chunks of up to 256.
///
/// A position is the offset of the byte behind a record in the file's text, with the line's number beside it; in a gzip file the offset
/// counts the uncompressed text, and resuming inflates what comes before. A position without a line number is found by
/// reading from the front. When the file no longer has a line break where it should resume, or is too short, it says so.
/// - Emits when: lines are complete; what one read has brought is never held back.
/// - Backpressures when: downstream does; then nothing is read.
/// - Completes when: the file ends; its last line needs no line break. Never, when following.
/// - Fails when: a line is broken and the policy is to fail, after all records before it; the file cannot be read, is truncated,
///   or, when following, is replaced or removed.
/// - Cancelled: at the next pull, or at once while it waits for a file to grow or a replayed record to be due.
///
/// Reading blocks the strand: a regular file has no other way, and from the page cache a block takes microseconds. Between long stretches
/// without a record (a gzip file to be passed over, a line of gigabytes) others get their turn.
/// State: none but the position; one block of `options::block_size` and those that records still refer to.
/// Errors: `errc::invalid_option` when built; `not_found`, `access_denied`, `io` when opened; `malformed`, `too_large`, `end_of_data`
/// (truncated gzip), `stale` (not the file it was) while reading.
/// Thread-safety: partitions may be read on different strands; `options` and its functions are shared by them.
/// Source: NDJSON (github.com/ndjson/ndjson-spec), RFC 8259, RFC 4180, RFC 1952.
class source final : public weir::source<record> {
public:
  /// Throws `weir::error` (`errc::invalid_option`) when the options cannot be used.
  explicit source(options o);
  /// "file" and the first path.
  std::string_view name() const noexcept override { return name_; }
  std::vector<std::string> partitions() const override { return options_->paths; }
  /// Opens the file at once, and throws when that fails.
  stream<record> open(std::string partition, std::optional<weir::position> after) override;

private:
  std::shared_ptr<options const> options_;
  std::string name_;
};

}  // namespace weir::file
