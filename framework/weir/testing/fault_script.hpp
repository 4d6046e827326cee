#pragma once
#include <weir/task.hpp>
#include <weir/testing/fault.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace weir::testing {

/// Which of the calls of something outside the process go wrong. Calls are counted from 1, over all restarts of the process.
/// ```
/// faulty_store store(kept, fault_script("commit").at(3, fault::lost_ack));
/// ```
/// Copies share what has happened. Strand only.
class fault_script {
public:
  /// `what` the calls are, for messages: "commit".
  explicit fault_script(std::string what = "call");
  /// The `nth` call suffers `f`; each call at most one fault, the last that was named for it.
  fault_script& at(std::uint64_t nth, fault f);
  /// How long `fault::delay` takes, on the context's clock. Default: 10 seconds.
  fault_script& delay(std::chrono::nanoseconds d);
  /// Where to tell what is done, one line each: "commit 3: up to 17".
  fault_script& tell(std::function<void(std::string)> listener);
  /// Tells of something that is no call.
  void note(std::string what) const;
  /// How many there were.
  std::uint64_t calls() const noexcept;

  /// One call, from `begin` to `done`.
  class call {
  public:
    call(std::uint64_t nth, fault f) noexcept : number_(nth), suffers_(f) {}
    std::uint64_t number() const noexcept { return number_; }
    fault suffers() const noexcept { return suffers_; }

  private:
    std::uint64_t number_;
    fault suffers_;
  };
  /// A call begins. Gives way to the event loop, as every call that leaves the process does; then fails, crashes or waits if it is to.
  task<call> begin() const;
  /// It is done: `told` says what. Crashes, or fails if the answer is to be lost; gives way.
  task<> done(call c, std::string told) const;

private:
  struct state;
  static task<call> begin(std::shared_ptr<state> all);
  static task<> done(std::shared_ptr<state> all, call c, std::string told);
  std::shared_ptr<state> state_;
};

}  // namespace weir::testing
