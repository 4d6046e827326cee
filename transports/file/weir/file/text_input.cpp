#include <weir/file/text_input.hpp>

#include <weir/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace weir::file {
namespace {

constexpr std::size_t compressed_block = std::size_t{64} * 1024;

errc code_of(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR: return errc::not_found;
    case EACCES:
    case EPERM: return errc::access_denied;
    case EISDIR: return errc::invalid_option;
    default: return errc::io;
  }
}

std::string_view advice_for(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR: return "check the path";
    case EACCES:
    case EPERM: return "check the permissions of the file and of the folders above it";
    case EISDIR: return "give the path of a file";
    default: return {};
  }
}

}  // namespace

void text_input::fail(std::string_view what, int number) const {
  throw error(code_of(number), fmt::format("file: cannot {}", what), std::system_category().message(number),
              std::string(advice_for(number)))
      .with_detail(path_);
}

text_input::text_input(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("open", errno);
  try {
    struct stat about{};
    if (::fstat(descriptor_, &about) != 0) fail("open", errno);
    if (S_ISDIR(about.st_mode)) fail("open", EISDIR);
    regular_ = S_ISREG(about.st_mode);
    compressed_.resize(compressed_block);
    std::size_t have = 0;
    while (have < 2) {  // a pipe may give one byte at a time
      std::size_t const n = read_file(std::span(compressed_).subspan(have));
      if (n == 0) break;
      have += n;
    }
    unread_ = std::string_view(compressed_.data(), have);
    if (gzip_inflater::recognises(unread_)) inflater_ = std::make_unique<gzip_inflater>();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

text_input::~text_input() { ::close(descriptor_); }

std::size_t text_input::read_file(std::span<char> room) {
  while (true) {
    ssize_t const n = ::read(descriptor_, room.data(), room.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail("read", errno);
  }
}

std::size_t text_input::read(std::span<char> room) {
  std::size_t n = 0;
  if (inflater_) {
    n = inflate(room);
  } else if (!unread_.empty()) {
    n = std::min(room.size(), unread_.size());
    std::memcpy(room.data(), unread_.data(), n);
    unread_.remove_prefix(n);
  } else {
    n = read_file(room);
  }
  offset_ += n;
  return n;
}

std::size_t text_input::inflate(std::span<char> room) {
  using outcome = gzip_inflater::outcome;
  while (!gzip_fault_) {
    if (unread_.empty()) unread_ = std::string_view(compressed_.data(), read_file(compressed_));
    if (unread_.empty()) {
      if (inflater_->complete()) return 0;
      fail_gzip(errc::end_of_data, "the gzip data end before they are complete", "get the whole file; it may still be being written");
    }
    gzip_inflater::step const step = inflater_->inflate(unread_, room);
    unread_.remove_prefix(step.consumed);
    if (step.what == outcome::corrupt || step.what == outcome::trailing_garbage) gzip_fault_ = step.what;
    if (step.produced != 0) return step.produced;  // all that is sound comes first
  }
  if (gzip_fault_ == outcome::corrupt) fail_gzip(errc::malformed, "the gzip data are corrupt", "get the file again");
  fail_gzip(errc::malformed, "something that is not gzip follows the gzip data", "get the file again, or cut off what follows");
}

void text_input::fail_gzip(errc code, std::string_view why, std::string_view advice) const {
  throw error(code, "file: cannot inflate", std::string(why), std::string(advice))
      .with_detail(fmt::format("{}, after byte {} of the text", path_, offset_));
}

bool text_input::jump(std::uint64_t offset) {
  if (inflater_ || !regular_) return false;
  struct stat about{};
  if (::fstat(descriptor_, &about) != 0) fail("read", errno);
  if (static_cast<std::uint64_t>(about.st_size) < offset) return false;
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail("read", errno);
  unread_ = {};
  offset_ = offset;
  return true;
}

char text_input::byte_before(std::uint64_t offset) const {
  char byte = 0;
  if (::pread(descriptor_, &byte, 1, static_cast<off_t>(offset - 1)) != 1) fail("read", errno);
  return byte;
}

void text_input::check_followed() const {
  auto const changed = [&](std::string_view why, std::string_view advice) {
    return error(errc::stale, "file: cannot follow", std::string(why), std::string(advice))
        .with_detail(fmt::format("{}, byte {}", path_, offset_));
  };
  struct stat open{}, named{};
  if (::fstat(descriptor_, &open) != 0) fail("follow", errno);
  if (::stat(path_.c_str(), &named) != 0) {
    if (errno != ENOENT) fail("follow", errno);
    throw changed("the file was removed or renamed", "everything that was written to it has been read; start anew when there is one again");
  }
  if (open.st_ino != named.st_ino || open.st_dev != named.st_dev) {
    throw changed("another file has taken its place",
                  "everything that was written to the old one has been read; read the other one from its start");
  }
  if (regular_ && static_cast<std::uint64_t>(open.st_size) < offset_) {
    throw changed(fmt::format("the file was truncated to {} bytes", open.st_size), "read it from its start");
  }
}

}  // namespace weir::file
