#pragma once
#include <weir/error.hpp>
#include <weir/file/gzip_inflater.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// The text of a file, inflated when it is a gzip file. Reads block: files are read from a disk or the page cache, whose waits no event
/// loop can take over. All functions throw `weir::error` that names the file.
class text_input {
public:
  /// Opens it and looks at its first bytes. What is no regular file is refused, but for pipes and devices, which can be read once.
  explicit text_input(std::string path);
  ~text_input();
  text_input(text_input const&) = delete;
  text_input& operator=(text_input const&) = delete;

  std::string const& path() const noexcept { return path_; }
  bool is_gzip() const noexcept { return inflater_ != nullptr; }
  /// How many bytes of text were read or passed over.
  std::uint64_t offset() const noexcept { return offset_; }

  /// Reads what comes next. 0: there is nothing more at present. Throws when a gzip file is truncated or corrupt, after all that is
  /// sound has been read.
  std::size_t read(std::span<char> room);
  /// Jumps to `offset` of a plain file that has so much; false where that is impossible: read there instead.
  bool jump(std::uint64_t offset);
  /// The byte before `offset`, by a look aside. Precondition: `jump` has succeeded.
  char byte_before(std::uint64_t offset) const;

  /// While following, when there was nothing to read: throws when the file was truncated, replaced or removed.
  void check_followed() const;

private:
  std::size_t read_file(std::span<char> room);
  std::size_t inflate(std::span<char> room);
  [[noreturn]] void fail(std::string_view what, int number) const;
  [[noreturn]] void fail_gzip(errc code, std::string_view why, std::string_view advice) const;

  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::uint64_t offset_ = 0;
  std::unique_ptr<gzip_inflater> inflater_;
  std::optional<gzip_inflater::outcome> gzip_fault_;
  std::vector<char> compressed_;  // as read; of a plain file what the first look has read
  std::string_view unread_;       // the part of it that is left
};

}  // namespace weir::file
