#include <weir/rocksdb/detail/failure.hpp>

#include <weir/error.hpp>
#include <weir/rocksdb/detail/seal.hpp>

#include <rocksdb/env.h>
#include <rocksdb/status.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace weir::rocksdb::detail {
namespace {

struct verdict {
  errc code;
  std::string_view advice;
};

constexpr std::string_view restore = "restore the folder from a backup, or remove it to begin from the start";

verdict judge(::rocksdb::Status const& status) {
  if (status.IsNoSpace()) return {errc::no_space, "make room on the disk; what was committed before is intact"};
  switch (status.code()) {
    case ::rocksdb::Status::kCorruption: return {errc::corrupt, restore};
    case ::rocksdb::Status::kBusy:
    case ::rocksdb::Status::kTimedOut:
    case ::rocksdb::Status::kTryAgain: return {errc::busy, "try again"};
    case ::rocksdb::Status::kInvalidArgument:
    case ::rocksdb::Status::kNotSupported: return {errc::incompatible, "name another folder; nothing was written to this one"};
    default: return {errc::io, "look at the disk and the system's log"};
  }
}

[[noreturn]] void refuse(errc code, std::filesystem::path const& folder, std::string why, std::string_view advice) {
  throw error(code, "rocksdb: cannot open the database", std::move(why), std::string(advice)).with_detail(folder.string());
}

[[noreturn]] void refuse(int reason, std::filesystem::path const& folder) {
  bool const denied = reason == EACCES || reason == EPERM || reason == EROFS;
  refuse(denied                                 ? errc::access_denied
         : reason == ENOSPC || reason == EDQUOT ? errc::no_space
                                                : errc::io,
         folder, std::generic_category().message(reason), denied ? "make the folder writable" : "look at the disk and the path");
}

// By trying to take it. The same process is told so too.
bool locked_by_somebody(std::filesystem::path const& folder) {
  auto* const env = ::rocksdb::Env::Default();
  std::string const lock = (folder / "LOCK").string();
  if (::access(lock.c_str(), R_OK | W_OK) != 0) return false;
  ::rocksdb::FileLock* held = nullptr;
  if (!env->LockFile(lock, &held).ok()) return true;
  env->UnlockFile(held);
  return false;
}

}  // namespace

void fail(::rocksdb::Status const& status, std::filesystem::path const& folder, std::string failed) {
  auto const [code, advice] = judge(status);
  throw error(code, "rocksdb: " + std::move(failed), status.ToString(), std::string(advice)).with_detail(folder.string());
}

void fail_to_open(::rocksdb::Status const& status, std::filesystem::path const& folder) {
  if (status.IsPathNotFound()) refuse(errc::corrupt, folder, "a file of it is missing: " + status.ToString(), restore);
  if (status.IsIOError() && !status.IsNoSpace()) {
    if (locked_by_somebody(folder))
      refuse(errc::busy, folder, "another process or store has it open", "end that one, or name another folder");
    if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) refuse(errno, folder);
  }
  fail(status, folder, "cannot open the database");
}

void prepare_folder(std::filesystem::path const& folder) {
  if (folder.empty()) throw error(errc::invalid_option, "rocksdb: cannot open the database", "no folder is named", "name one");
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed)) {
    if (failed) refuse(failed.value(), folder);
    if (std::filesystem::create_directory(folder, failed)) return write_seal(folder, seal{0});
    if (failed == std::errc::no_such_file_or_directory)
      refuse(errc::not_found, folder, "the folder it would be in does not exist", "make it, or name another one");
    if (failed) refuse(failed.value(), folder);
  }
  if (!std::filesystem::is_directory(folder, failed)) refuse(errc::io, folder, "it is not a folder", "name a folder");
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) refuse(errno, folder);
  bool const has_database = std::filesystem::exists(folder / "CURRENT", failed);
  if (auto const sealed = read_seal(folder)) {
    if (sealed->sequence != 0 && !has_database) refuse(errc::corrupt, folder, "its file CURRENT is missing", restore);
    return;
  }
  if (has_database) refuse(errc::incompatible, folder, "it is a database of another program", "name another folder for the checkpoints");
  for (auto const& file : std::filesystem::directory_iterator(folder, failed)) {
    std::string const other = file.path().filename().string();
    if (!other.starts_with("WEIR"))
      refuse(errc::incompatible, folder, "it has files of something else in it: " + other, "name another folder for the checkpoints");
  }
  if (failed) refuse(failed.value(), folder);
  write_seal(folder, seal{0});  // before there is a database: a crash in between is not taken for somebody else's
}

}  // namespace weir::rocksdb::detail
