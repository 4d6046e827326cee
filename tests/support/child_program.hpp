#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace weir::test {

/// A program that runs beside the test, and ends with this object (by SIGKILL), or with the test program.
class child_program {
public:
  /// Runs `command`, whose first part is the path of a program, in `folder`; `environment`: variables as "NAME=value", before those of the
  /// test.
  child_program(std::filesystem::path const& folder, std::vector<std::string> const& command,
                std::vector<std::string> const& environment = {});
  child_program(child_program const&) = delete;
  child_program& operator=(child_program const&) = delete;
  ~child_program();

  /// The next line of its standard output, for which it waits, without its end; empty where there is none any more.
  std::string read_line();
  void send(int signal) const;
  /// How it has ended: its exit code, or 128 and the signal; null: it has not, or that was told before.
  std::optional<int> ended();
  /// Waits until it has, and tells as `ended` does.
  std::optional<int> wait();

private:
  std::optional<int> wait(int how);
  pid_t child_ = -1;
  int output_ = -1;
};

/// One whose output, both streams, is added to the file `log`.
std::unique_ptr<child_program> logged_program(std::filesystem::path const& folder, std::vector<std::string> command,
                                              std::filesystem::path const& log, std::vector<std::string> const& environment = {});

}  // namespace weir::test
