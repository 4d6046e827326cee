#pragma once

#include <weir/log.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace command_line {

/// What an application says, on standard error: what its pipelines promise, and warnings, as they come; its failures when it has ended, or
/// at once where another thread tells of them, which ends the program because this one does not go on.
class app_log {
public:
  /// `make_room`: is called before a line, for what else stands on the terminal.
  explicit app_log(std::string program, std::function<void()> make_room = [] {});
  app_log(app_log const&) = delete;
  app_log& operator=(app_log const&) = delete;

  /// For `weir::settings::log`, from `info` on; refers to this object.
  weir::logger logger();
  /// Why it failed, whatever the application says of it.
  void failed(std::string_view why);
  /// The exit code of a run that ended with `code`: 1, and says why, when it failed, be it by an error that is only logged (records that
  /// are lost, a drain that timed out).
  int conclude(int code);

private:
  void hear(weir::log_level level, std::string_view text);

  std::string program_;
  std::thread::id const own_ = std::this_thread::get_id();
  std::vector<std::string> failures_;
  bool echoes_ = false;  // the application is to say what we have been told already
  std::function<void()> make_room_;
};

}  // namespace command_line
