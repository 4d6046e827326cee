#pragma once
#include <weir/error.hpp>
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A sink of files in memory, one for each commit of a partition, as `file::folder` has them on a disk.
class numbered_files {
public:
  using row_type = std::string;
  static constexpr std::string_view kind = "files";
  static constexpr guarantee promises = guarantee::idempotent;

  std::shared_ptr<outside_write> write(std::vector<std::string> rows) const { return std::make_shared<part>(files_, std::move(rows)); }
  task<> resume(checkpoint_key key, std::uint64_t number) const {
    std::erase_if(*files_, [&](auto const& file) { return file.first.first == key.partition && file.first.second > number; });
    co_return;
  }
  /// Of all files, sorted.
  std::vector<std::string> rows() const {
    std::vector<std::string> out;
    for (auto const& file : *files_) std::ranges::copy(file.second, std::back_inserter(out));
    std::ranges::sort(out);
    return out;
  }

private:
  using name = std::pair<std::string, std::uint64_t>;
  using all = std::map<name, std::vector<std::string>>;

  struct part final : outside_write {
    part(std::shared_ptr<all> to, std::vector<std::string> r) noexcept : files(std::move(to)), rows(std::move(r)) {}
    task<> write(checkpoint_key of, std::uint64_t number) override {
      bool const made = files->emplace(name(of.partition, number), rows).second;
      if (!made) throw error(weir::errc::stale, "files: cannot write rows", "the file is there already");
      co_return;
    }
    bool join(outside_write& later) override {
      auto* const other = dynamic_cast<part*>(&later);
      if (!other || other->files != files) return false;
      std::ranges::move(other->rows, std::back_inserter(rows));
      return true;
    }
    std::shared_ptr<all> files;
    std::vector<std::string> rows;
  };

  std::shared_ptr<all> files_ = std::make_shared<all>();
};

}  // namespace weir::test
