#pragma once

#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <sys/types.h>

#include <string>
#include <vector>

namespace local_lambda {

/// A program that is started, in a process group of its own, and killed with this object if it still runs; with it, and when it ends by
/// itself, all it has started. It reads nothing; what it says goes to standard error. Strand only.
class function_process {
public:
  /// `command`: the program, looked for as a shell does, and its arguments; `environment`: "NAME=value", in place of ours of that name.
  /// Errors: `weir::error`.
  function_process(boost::asio::any_io_executor const& on, std::vector<std::string> command, std::vector<std::string> environment);
  function_process(function_process const&) = delete;
  function_process& operator=(function_process const&) = delete;
  ~function_process();

  bool has_ended();
  /// Waits for its end.
  weir::task<> ended();
  /// Asks it to end, waits for that for two seconds, then kills it.
  weir::task<> end();
  /// "with exit code 1", "by signal 11"; empty while it is not known to have ended.
  std::string const& how_it_ended() const noexcept { return how_; }

private:
  ::pid_t id_ = -1;
  boost::asio::posix::stream_descriptor watch_;
  std::string how_;
};

}  // namespace local_lambda
