#include "whole_file.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace command_line {
namespace {

[[noreturn]] void fail(std::error_code reason, std::string_view what, std::string_view action, std::string_view file) {
  throw weir::error(reason, fmt::format("{}: cannot {} {}", what, action, file), reason.message(),
                    "correct that and run again: nothing is lost");
}
std::error_code last_error() { return std::error_code(errno, std::system_category()); }

// A file that is gone again unless it is renamed.
class temporary_file {
public:
  explicit temporary_file(std::string const& target) : path_(target + fmt::format(".{}.tmp", ::getpid())) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    close();
    if (opened_ && !renamed_) ::unlink(path_.c_str());
  }

  bool opened() noexcept { return opened_ = descriptor_ >= 0; }
  bool write(std::string_view text) noexcept {
    while (!text.empty()) {
      auto const written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fdatasync(descriptor_) == 0 && close();
  }
  bool rename_to(std::string const& target) noexcept { return renamed_ = ::rename(path_.c_str(), target.c_str()) == 0; }

private:
  bool close() noexcept {
    int const descriptor = std::exchange(descriptor_, -1);
    return descriptor < 0 || ::close(descriptor) == 0;
  }

  std::string path_;
  int descriptor_ = -1;
  bool opened_ = false, renamed_ = false;
};

// The rename itself is on the disk when the folder is. Not every file system can do that for a folder, so it is not an error.
void sync_folder_of(std::string const& file) {
  auto const folder = std::filesystem::absolute(file).parent_path();
  int const descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_whole_file(std::string const& file, std::string_view text, std::string_view what) {
  temporary_file temporary(file);
  if (!temporary.opened()) fail(last_error(), what, "create", file);
  if (!temporary.write(text)) fail(last_error(), what, "write", file);
  if (!temporary.rename_to(file)) fail(last_error(), what, "replace", file);
  sync_folder_of(file);
}

void make_folder(std::string const& folder, std::string_view what) {
  std::error_code reason;
  std::filesystem::create_directories(folder, reason);
  if (!reason && !std::filesystem::is_directory(folder)) reason = std::make_error_code(std::errc::not_a_directory);
  if (reason) fail(reason, what, "make the folder", folder);
}

}  // namespace command_line
