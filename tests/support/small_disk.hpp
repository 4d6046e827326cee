#pragma once
#include "temporary_folder.hpp"

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace weir::test {

/// A file system of a few kilobytes in memory, to run out of space on or to make read-only. Needs the right to mount; `works()` says
/// whether there is one. The mount is seen by this process only and goes with it, however it ends.
class small_disk {
public:
  explicit small_disk(std::size_t kilobytes) {
    static bool const apart = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    std::string const size = "size=" + std::to_string(kilobytes) + "k";
    mounted_ = apart && ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  small_disk(small_disk const&) = delete;
  small_disk& operator=(small_disk const&) = delete;
  ~small_disk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool works() const noexcept { return mounted_; }
  std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  void make_read_only() {
    if (::mount("none", folder_.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0)
      throw std::system_error(errno, std::generic_category(), "remount");
  }

private:
  temporary_folder folder_;
  bool mounted_ = false;
};

}  // namespace weir::test
