#pragma once

#include "function_process.hpp"
#include "runtime_api.hpp"
#include "runtime_server.hpp"

#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace local_lambda {

/// What an invocation came to, and how long it took.
struct invocation_report {
  invocation_end end;
  std::chrono::nanoseconds took{0};
  std::optional<std::chrono::nanoseconds> start;  ///< before that: until the program asked for it, where it was started for it, and did
};

/// A program as a function of Lambda: started when there is an invocation, and again when it has ended or was too slow. Strand only.
class local_function {
public:
  local_function(boost::asio::any_io_executor on, std::vector<std::string> program, std::chrono::nanoseconds timeout);

  /// Serves the Runtime API until it is cancelled; beside all that follows.
  weir::task<> serve() { return server_.serve(); }
  /// Invokes it. That it fails, ends or is too slow is in the report. Errors: `weir::error` when the program cannot be started.
  weir::task<invocation_report> invoke(std::string payload);
  /// Ends the program.
  weir::task<> end();

private:
  weir::task<> run();
  weir::task<bool> before(weir::task<> what, std::chrono::nanoseconds limit, std::string late);
  void start_program();

  boost::asio::any_io_executor on_;
  std::vector<std::string> program_;
  std::chrono::nanoseconds timeout_;
  runtime_api api_;
  runtime_server server_;
  std::optional<function_process> process_;
  std::string failure_;  // of the invocation that runs, where the function did not say it
};

}  // namespace local_lambda
