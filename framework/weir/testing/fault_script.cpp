#include <weir/testing/fault_script.hpp>

#include <weir/error.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/crash.hpp>

#include <map>
#include <utility>

namespace weir::testing {

struct fault_script::state {
  explicit state(std::string w) : what(std::move(w)) {}
  std::string name(std::uint64_t nth) const { return what + " " + std::to_string(nth); }
  void say(std::uint64_t nth, std::string const& text) const {
    if (listener) listener(name(nth) + ": " + text);
  }

  std::string what;
  std::map<std::uint64_t, fault> faults;
  std::chrono::nanoseconds delay = std::chrono::seconds(10);
  std::function<void(std::string)> listener;
  std::uint64_t calls = 0;
};

fault_script::fault_script(std::string what) : state_(std::make_shared<state>(std::move(what))) {}

fault_script& fault_script::at(std::uint64_t nth, fault f) {
  state_->faults.insert_or_assign(nth, f);
  return *this;
}
fault_script& fault_script::delay(std::chrono::nanoseconds d) {
  state_->delay = d;
  return *this;
}
fault_script& fault_script::tell(std::function<void(std::string)> listener) {
  state_->listener = std::move(listener);
  return *this;
}
void fault_script::note(std::string what) const {
  if (state_->listener) state_->listener(std::move(what));
}
std::uint64_t fault_script::calls() const noexcept { return state_->calls; }

task<fault_script::call> fault_script::begin() const { return begin(state_); }
task<> fault_script::done(call c, std::string told) const { return done(state_, c, std::move(told)); }

task<fault_script::call> fault_script::begin(std::shared_ptr<state> all) {
  std::uint64_t const nth = ++all->calls;
  auto const found = all->faults.find(nth);
  call const c(nth, found == all->faults.end() ? fault::none : found->second);
  co_await reschedule();
  if (c.suffers() == fault::crash_before) {
    all->say(nth, "crash before it");
    co_await crash();
  }
  if (c.suffers() == fault::delay) {
    all->say(nth, "delayed");
    co_await sleep_for(all->delay);
  }
  if (c.suffers() == fault::fail) {
    all->say(nth, "failed");
    throw error(errc::unavailable, "testing: " + all->name(nth) + " failed", "the test wants it to");
  }
  co_return c;
}

task<> fault_script::done(std::shared_ptr<state> all, call c, std::string told) {
  all->say(c.number(), told);
  if (c.suffers() == fault::crash_after) {
    all->say(c.number(), "crash after it");
    co_await crash();
  }
  if (c.suffers() == fault::lost_ack) {
    all->say(c.number(), "the answer is lost");
    throw error(errc::timed_out, "testing: " + all->name(c.number()) + " was not answered",
                "it is done, but the test wants the answer to be lost");
  }
  co_await reschedule();
}

}  // namespace weir::testing
