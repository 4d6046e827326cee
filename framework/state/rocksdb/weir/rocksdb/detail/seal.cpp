#include <weir/rocksdb/detail/seal.hpp>

#include <weir/checksum.hpp>
#include <weir/error.hpp>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::rocksdb::detail {
namespace {

constexpr char name[] = "WEIR";
constexpr std::string_view first_words = "weir state ";
constexpr unsigned version = 1;

std::string text_of(seal const& s) {
  std::string const what = std::string(first_words) + std::to_string(version) + "\nsequence " + std::to_string(s.sequence) + "\n";
  return what + "checksum " + std::to_string(checksum().add(what).value()) + "\n";
}

[[noreturn]] void refuse_seal(errc code, std::filesystem::path const& folder, std::string why, std::string advice) {
  throw error(code, "checkpoint: cannot use the folder", std::move(why), std::move(advice)).with_detail(folder.string());
}

[[noreturn]] void fail(std::filesystem::path const& file) {
  std::error_code const why(errno, std::generic_category());
  errc const code = errno == ENOSPC || errno == EDQUOT  ? errc::no_space
                    : errno == EACCES || errno == EROFS ? errc::access_denied
                                                        : errc::io;
  throw error(code, "rocksdb: cannot write", why.message(),
              code == errc::no_space ? "make room on the disk" : "look at the disk and the path")
      .with_detail(file.string());
}

// A file or folder while it is open.
class opened {
public:
  opened(std::filesystem::path const& p, int flags) : path_(p), handle_(::open(p.c_str(), flags | O_CLOEXEC, 0644)) {
    if (handle_ < 0) fail(path_);
  }
  opened(opened const&) = delete;
  opened& operator=(opened const&) = delete;
  ~opened() { ::close(handle_); }
  void write(std::string_view text) const {
    if (::write(handle_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail(path_);
  }
  void sync() const {
    if (::fsync(handle_) != 0) fail(path_);
  }

private:
  std::filesystem::path path_;
  int handle_;
};

}  // namespace

std::optional<seal> read_seal(std::filesystem::path const& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / name, ignored)) return std::nullopt;
  std::ifstream in(folder / name, std::ios::binary);
  std::string const found{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  unsigned of = 0;
  seal out{};
  if (::sscanf(found.c_str(), "weir state %u\nsequence %" SCNu64, &of, &out.sequence) == 2 && text_of(out) == found) return out;
  if (of > version && found.starts_with(first_words)) {
    refuse_seal(errc::incompatible, folder,
                "it was written by a later version of Weir: its state has version " + std::to_string(of) + ", this program knows " +
                    std::to_string(version),
                "use that version, or start anew without the folder");
  }
  refuse_seal(errc::corrupt, folder, "its file WEIR does not match its checksum",
              "restore the folder from a backup, or remove it to start anew");
}

void write_seal(std::filesystem::path const& folder, seal const& s) {
  auto const draft = folder / (std::string(name) + ".draft");
  {
    opened const file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text_of(s));
    file.sync();
  }
  if (::rename(draft.c_str(), (folder / name).c_str()) != 0) fail(folder / name);
  opened(folder, O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace weir::rocksdb::detail
