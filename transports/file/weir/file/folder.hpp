#pragma once
#include <weir/file/folder_files.hpp>
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::file {

/// A sink of files: the rows in front of each checkpoint in a file of their own, a line for each.
/// ```cpp
/// pipeline.use_sink("bars", file::folder<bar>("bars", ".csv", [](bar const& b) { return b.symbol + ',' + std::to_string(b.close); }));
/// ```
/// A file has the name of its pipeline, its partition and the number of its commit: "ticks%2Fbars+0+000000000017.csv". Whoever reads the
/// folder sees whole files only: a file is written under a hidden name, synced, and gets its name at last, before the commit. The number of
/// a commit that did not come is that of the next one, also of another worker's, so a restart finds the only file that may be ahead of the
/// checkpoint by its name, removes it, and writes these rows again, whatever they are then. A commit without rows makes no file, but for
/// the first one after another worker had the partition: an empty one, so that this number is taken.
///
/// Guarantee: idempotent. Once a pipeline has got on, each row is in the folder once. The newest file of a partition may go and come again,
/// with other rows when the pipeline is not deterministic, until the checkpoint after it is there.
///
/// Blocks the strand while the disk writes. Workers that share partitions share the folder, too. One at a time has a partition: a file that
/// is there already is never replaced. There a name also tells how often the partition had been fenced, "...+000000000017+3.csv", and who
/// begins leaves a hidden mark with that number, ".ticks%2Fbars+0+3.fence.csv", in place of the one before: so a worker that wakes up late
/// removes nothing of who came after it, and what it still writes does not stay.
/// Errors: `errc::not_found`, `access_denied`, `no_space`, `io`; `errc::stale` when another worker wrote the file; `errc::incompatible` at
/// the start when there are files of later checkpoints than the store has: the checkpoints were erased, or are those of another store. A
/// copy is the same sink. Thread-safety: as a value.
template <class Row> class folder {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "file";
  static constexpr guarantee promises = guarantee::idempotent;

  /// `path` must be a folder (`errc::not_found`). `suffix`: of the files' names; without slashes. `text_of(row)`: the line, without its
  /// line break.
  template <class TextOf> folder(std::filesystem::path path, std::string suffix, TextOf text_of)
      : files_(std::make_shared<folder_files>(std::move(path), std::move(suffix))), text_of_(std::move(text_of)) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    std::string text;
    for (Row const& row : rows) text.append(text_of_(row)) += '\n';
    return folder_files::write(files_, std::move(text));
  }
  /// Removes what a crash has left.
  task<> resume(checkpoint_key key, std::uint64_t number, std::uint64_t fences = 0) const {
    files_->resume(key, number, fences);
    co_return;
  }

private:
  std::shared_ptr<folder_files> files_;
  std::function<std::string(Row const&)> text_of_;
};

}  // namespace weir::file
