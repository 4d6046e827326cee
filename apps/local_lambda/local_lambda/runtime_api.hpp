#pragma once

#include <weir/instant.hpp>
#include <weir/net/request.hpp>
#include <weir/net/response.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace local_lambda {

/// How an invocation ended, or the start.
struct invocation_end {
  bool succeeded = false;
  std::string answer;   ///< of one that succeeded
  std::string failure;  ///< of one that failed: the type, and what it is
};

/// Lambda's Runtime API for one function, without I/O: requests in, answers out. It hands out one invocation at a time.
/// Source: "Using the Lambda runtime API for custom runtimes", AWS Lambda developer guide; statuses and types of errors are those of the
/// Runtime Interface Emulator.
class runtime_api {
public:
  /// Bytes of an answer that is sent whole, and of one that is streamed.
  static constexpr std::size_t most_answer = std::size_t{6} * 1024 * 1024 + 100, most_streamed = std::size_t{200} * 1024 * 1024;

  /// Another process is the function from now on: what the last one had is forgotten.
  void restart();
  /// How many there were.
  std::size_t process() const noexcept { return process_; }
  /// The next invocation is this one, which begins when the function asks for it. The last one has ended.
  void invoke(std::string payload, std::chrono::nanoseconds timeout);
  /// A request of the function, at `now`; `url` is the path alone. Null: it is the one for the next invocation, and there is none yet.
  std::optional<weir::net::response> take(weir::net::request const& ask, weir::instant now);
  /// When the invocation began; null: it did not yet.
  std::optional<weir::instant> begun() const noexcept { return begun_; }
  std::optional<invocation_end> const& end() const noexcept { return end_; }
  /// The function said that it cannot start.
  bool start_failed() const noexcept { return start_failed_; }

private:
  enum class state { idle, offered, running };
  weir::net::response hand_out(weir::instant now);
  weir::net::response finish(weir::net::request const& ask, bool failed);
  weir::net::response fail_start(weir::net::request const& ask);

  state now_ = state::idle;
  bool asked_ = false, start_failed_ = false;  // by this process
  std::string request_id_, payload_;
  std::chrono::nanoseconds timeout_{};
  std::size_t process_ = 0, count_ = 0;
  std::optional<weir::instant> begun_;
  std::optional<invocation_end> end_;
};

}  // namespace local_lambda
