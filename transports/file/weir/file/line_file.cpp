#include <weir/file/line_file.hpp>

#include <weir/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace weir::file {

line_file::line_file(std::string file, std::string what, std::string beginning)
    : file_(std::move(file)), what_(std::move(what)), beginning_(std::move(beginning)), descriptor_(STDOUT_FILENO) {
  if (file_ == "-") {
    file_ = "standard output";
    return;
  }
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && errno == EISDIR) fail("open");
  if (descriptor_ < 0) descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);  // a pipe or a device
  if (descriptor_ < 0) fail("open");
  struct stat status{};
  regular_ = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (regular_ && status.st_size > 0) cut_unfinished_line();
}

line_file::~line_file() {
  if (descriptor_ != STDOUT_FILENO) ::close(descriptor_);
}

void line_file::fail(char const* action) const {
  std::error_code const reason(errno, std::system_category());
  throw error(reason, fmt::format("{}: cannot {} {}", what_, action, file_), reason.message(),
              "correct that and run again: nothing is lost");
}

void line_file::cut_unfinished_line() {
  ::off_t const size = ::lseek(descriptor_, 0, SEEK_END);
  std::string tail;
  std::size_t end = std::string::npos;
  for (::off_t length = 4096; end == std::string::npos && static_cast<::off_t>(tail.size()) != size; length *= 4) {
    tail.resize(static_cast<std::size_t>(std::min(length, size)));
    ::off_t const from = size - static_cast<::off_t>(tail.size());
    if (::pread(descriptor_, tail.data(), tail.size(), from) != static_cast<::ssize_t>(tail.size())) fail("read");
    end = tail.rfind('\n');
  }
  auto const rest = std::string_view(tail).substr(end == std::string::npos ? 0 : end + 1);
  if (rest.empty()) return;
  auto const compared = std::min(rest.size(), beginning_.size());
  if (rest.substr(0, compared) != std::string_view(beginning_).substr(0, compared)) {
    lines_ = "\n";  // somebody else's text: leave it a line of its own
  } else if (::ftruncate(descriptor_, size - static_cast<::off_t>(rest.size())) != 0) {
    fail("truncate");
  }
}

void line_file::add(std::string_view line) {
  lines_ += line;
  lines_ += '\n';
}

void line_file::flush() {
  if (lines_.empty()) return;
  for (std::string_view rest = lines_; !rest.empty();) {
    auto const written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write to");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  lines_.clear();
  if (regular_ && ::fdatasync(descriptor_) != 0) fail("write to");
}

}  // namespace weir::file
