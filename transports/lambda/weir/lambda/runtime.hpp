#pragma once
#include <weir/lambda/invocation.hpp>
#include <weir/lambda/streamed_answer.hpp>
#include <weir/task.hpp>

#include <optional>
#include <string>
#include <utility>

namespace weir::lambda {

/// What is said of an invocation, or of the start, that failed.
struct function_error {
  function_error() = default;
  function_error(std::string of_type, std::string with_message) noexcept : type(std::move(of_type)), message(std::move(with_message)) {}
  friend bool operator==(function_error const&, function_error const&) = default;

  std::string type;     ///< a category and what it is, in ASCII: "Weir.HandlerFailed"
  std::string message;  ///< for people
};

/// Who calls the function: Lambda's Runtime API (`runtime_client`), or in a test something of its own, in virtual time. From one strand.
class runtime {
public:
  runtime() = default;
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  virtual ~runtime() = default;

  /// The next invocation, however long it takes; null: there are no more. What comes of one has to be said before the next is asked for.
  virtual task<std::optional<invocation>> next() = 0;
  /// The invocation succeeded, with this answer.
  virtual task<> respond(std::string request_id, std::string answer) = 0;
  /// The same with an answer that is made while it is sent. Where that fails half-way the invocation has failed: who invoked it is told so,
  /// and the log, and it returns as if it had succeeded, since the function can go on.
  virtual task<> respond(std::string request_id, streamed_answer answer) = 0;
  /// The invocation failed.
  virtual task<> fail(std::string request_id, function_error why) = 0;
  /// The function cannot be started; nothing may come behind it.
  virtual task<> fail_init(function_error why) = 0;
};

}  // namespace weir::lambda
