#include <weir/file/folder_files.hpp>

#include <weir/checksum.hpp>
#include <weir/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::file {
namespace {

constexpr std::size_t longest_stem = 200;  // bytes; file systems take names of 255
constexpr std::size_t number_digits = 12;
constexpr std::string_view mark = ".fence";

bool goes_into_a_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string escaped_name(std::string_view text) {
  std::string out;
  for (char const c : text) {
    if (goes_into_a_name(c)) {
      out += c;
      continue;
    }
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += code.data();
  }
  return out;
}

// '+' and '=' are in no escaped name, so that no stem is the beginning of another one with its '+'.
std::string stem_of(checkpoint_key const& of) {
  std::string stem = escaped_name(of.pipeline) + '+' + escaped_name(of.partition);
  if (stem.size() > longest_stem) {
    std::array<char, 17> sum{};
    std::snprintf(sum.data(), sum.size(), "%016llx", static_cast<unsigned long long>(checksum().add(std::string_view(stem)).value()));
    stem.resize(longest_stem - sum.size());
    stem.append("=").append(sum.data());
  }
  return stem;
}

// Null: these are not digits.
std::optional<std::uint64_t> number_of(std::string_view digits) noexcept {
  std::uint64_t number = 0;
  for (char const c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return digits.empty() ? std::nullopt : std::optional(number);
}

// What is between the stem and the suffix; null: it is no file of that partition.
std::optional<std::string_view> middle_of(std::string_view name, std::string_view stem, std::string_view suffix) noexcept {
  if (name.size() <= stem.size() + 1 + suffix.size() || !name.starts_with(stem) || name[stem.size()] != '+' || !name.ends_with(suffix))
    return std::nullopt;
  return name.substr(stem.size() + 1, name.size() - stem.size() - 1 - suffix.size());
}

// Which commit a file is of, and of how many fences its worker knew.
struct commit_of {
  std::uint64_t number = 0, fences = 0;
};

// Null: it is no file of that partition.
std::optional<commit_of> commit_in(std::string_view name, std::string_view stem, std::string_view suffix) {
  std::optional<std::string_view> const middle = middle_of(name, stem, suffix);
  if (!middle) return std::nullopt;
  std::size_t const plus = middle->find('+');
  std::string_view const digits = middle->substr(0, plus);
  std::optional<std::uint64_t> const number = number_of(digits);
  if (!number || digits.size() < number_digits) return std::nullopt;
  if (plus == std::string_view::npos) return commit_of{*number, 0};
  std::optional<std::uint64_t> const fences = number_of(middle->substr(plus + 1));
  if (!fences) return std::nullopt;
  return commit_of{*number, *fences};
}

[[noreturn]] void throw_late(std::string const& what, std::filesystem::path const& shown_by) {
  throw error(errc::stale, "file: cannot " + what, "another worker has begun with the partition since this one did",
              "nothing is to be done where workers share partitions; where the checkpoints were erased, take the partition's files away, "
              "hidden ones too")
      .with_detail(shown_by.string());
}

class descriptor {
public:
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const noexcept { return number_; }
  int close() noexcept { return ::close(std::exchange(number_, -1)); }

private:
  int number_;
};

class file_write final : public outside_write {
public:
  file_write(std::shared_ptr<folder_files> to, std::string text) noexcept : to_(std::move(to)), text_(std::move(text)) {}
  task<> write(checkpoint_key of, std::uint64_t number) override {
    if (!put_) {
      std::string const name = to_->name_of(of, number, fences());
      to_->put(name, text_);
      put_ = true;
    }
    to_->check_ours(of, number, fences());
    to_->sync();
    co_return;
  }
  bool join(outside_write& later) override {
    auto* const other = dynamic_cast<file_write*>(&later);
    if (!other || other->to_ != to_) return false;
    text_ += other->text_;
    return true;
  }

private:
  std::shared_ptr<folder_files> to_;
  std::string text_;
  bool put_ = false;
};

}  // namespace

void folder_files::fail(std::string const& what, std::filesystem::path const& where, int number) {
  errc const code = number == ENOENT || number == ENOTDIR                    ? errc::not_found
                    : number == EACCES || number == EPERM || number == EROFS ? errc::access_denied
                    : number == ENOSPC || number == EDQUOT                   ? errc::no_space
                                                                             : errc::io;
  throw error(code, "file: cannot " + what, std::system_category().message(number)).with_detail(where.string());
}

folder_files::folder_files(std::filesystem::path path, std::string suffix) : path_(std::move(path)), suffix_(std::move(suffix)) {
  if (suffix_.find('/') != std::string::npos || suffix_.find('+') != std::string::npos)
    throw error(errc::invalid_option, "file: cannot use the folder", "the suffix \"" + suffix_ + "\" has a slash or a plus sign in it",
                "say \".csv\"");
  std::error_code failed;
  if (!std::filesystem::is_directory(path_, failed)) {
    throw error(errc::not_found, "file: cannot use the folder", failed ? failed.message() : "it is no folder", "make it first")
        .with_detail(path_.string());
  }
}

std::string folder_files::name_of(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences) const {
  std::string digits = std::to_string(number);
  if (digits.size() < number_digits) digits.insert(0, number_digits - digits.size(), '0');
  if (fences != 0) digits.append("+").append(std::to_string(fences));
  return stem_of(of) + '+' + digits + suffix_;
}

std::string folder_files::mark_of(checkpoint_key const& of, std::uint64_t fences) const {
  return '.' + stem_of(of) + '+' + std::to_string(fences) + std::string(mark) + suffix_;
}

void folder_files::put(std::string const& name, std::string_view text) const {
  std::filesystem::path const part = path_ / ('.' + name + ".part"), whole = path_ / name;
  descriptor out(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.get() < 0) fail("make the file", part, errno);
  int failed = 0;
  while (!text.empty() && failed == 0) {
    ssize_t const n = ::write(out.get(), text.data(), text.size());
    if (n >= 0) text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR) failed = errno;
  }
  if (failed == 0 && ::fsync(out.get()) != 0) failed = errno;
  if (out.close() != 0 && failed == 0) failed = errno;
  // Not by rename, which would replace the file of another worker.
  bool const linked = failed == 0 && ::link(part.c_str(), whole.c_str()) == 0;
  if (failed == 0 && !linked) failed = errno;
  ::unlink(part.c_str());
  if (linked) return;
  if (failed == EEXIST) {
    throw error(errc::stale, "file: cannot write rows", "the file is there already, and this worker has not written it",
                "let one worker at a time have the partition; the other one's checkpoint tells what the file should have")
        .with_detail(whole.string());
  }
  fail("write rows", whole, failed);
}

void folder_files::sync() const {
  descriptor const here(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (here.get() < 0 || ::fsync(here.get()) != 0) fail("sync the folder", path_, errno);
}

// Whoever comes later takes the mark away, and then looks for what is to be removed: it finds the file, or the file's writer misses the
// mark.
void folder_files::check_ours(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences) const {
  if (fences == 0) return;
  std::filesystem::path const own = path_ / mark_of(of, fences), written = path_ / name_of(of, number, fences);
  if (::access(own.c_str(), F_OK) == 0) return;
  int const failed = errno;
  if (failed != ENOENT) fail("look for the mark of this worker", own, failed);
  if (::unlink(written.c_str()) != 0 && errno != ENOENT) fail("remove what came too late", written, errno);
  throw_late("write rows", own);
}

// Its own mark comes first, and then those of who came before go: of two that begin at once, one finds the other's.
void folder_files::take_mark(checkpoint_key const& of, std::uint64_t fences) const {
  std::filesystem::path const own = path_ / mark_of(of, fences);
  {
    descriptor const made(::open(own.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (made.get() < 0) fail("make the mark of this worker", own, errno);
  }
  std::string const begin = '.' + stem_of(of), end = std::string(mark) + suffix_;
  for (std::filesystem::path const& p : listed()) {
    std::string const name = p.filename().string();
    std::optional<std::string_view> const middle = middle_of(name, begin, end);
    std::optional<std::uint64_t> const whose = middle ? number_of(*middle) : std::nullopt;
    if (!whose || *whose == fences) continue;
    bool const later = *whose > fences;
    std::filesystem::path const& outdated = later ? own : p;
    if (::unlink(outdated.c_str()) != 0 && errno != ENOENT) fail("remove the mark of a worker", outdated, errno);
    if (later) throw_late("begin", p);
  }
}

void folder_files::resume(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences) const {
  if (fences != 0) take_mark(of, fences);
  std::string const stem = stem_of(of);
  std::vector<std::filesystem::path> unfinished;
  for (std::filesystem::path const& p : listed()) {
    std::string const name = p.filename().string();
    std::string_view shown = name;
    bool const part = shown.starts_with('.') && shown.ends_with(suffix_ + ".part");
    if (part) {
      shown.remove_prefix(1);
      shown.remove_suffix(std::string_view(".part").size());
    }
    std::optional<commit_of> const found = commit_in(shown, stem, suffix_);
    if (!found) continue;
    if (found->fences > fences) throw_late("begin", p);
    if (!part && found->number <= number) continue;
    if (!part && found->number > number + 1) {
      throw error(errc::incompatible, "file: cannot begin",
                  "the file is of checkpoint " + std::to_string(found->number) + ", and the store has " +
                      (number == 0 ? std::string("none") : std::to_string(number)) +
                      ": its checkpoints were erased, or are of another store",
                  "bring back the checkpoints, or take the files away to write all of them again")
          .with_detail(p.string());
    }
    unfinished.push_back(p);
  }
  for (std::filesystem::path const& p : unfinished)
    if (::unlink(p.c_str()) != 0 && errno != ENOENT) fail("remove what was not finished", p, errno);
  if (fences != 0 || !unfinished.empty()) sync();
}

std::vector<std::filesystem::path> folder_files::listed() const {
  std::vector<std::filesystem::path> all;
  std::error_code failed;
  for (std::filesystem::directory_iterator i(path_, failed), end; !failed && i != end; i.increment(failed)) all.push_back(i->path());
  if (failed) fail("look into the folder", path_, failed.value());
  return all;
}

std::shared_ptr<outside_write> folder_files::write(std::shared_ptr<folder_files> to, std::string text) {
  return std::make_shared<file_write>(std::move(to), std::move(text));
}

}  // namespace weir::file
