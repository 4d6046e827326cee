// Three failed logins within five minutes lock an account for a quarter of an hour: state per key and timers, with `process`.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/state/list_state.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

struct login {
  std::string account, address;
  bool succeeded;
  std::chrono::sys_time<std::chrono::minutes> time;
};
constexpr std::chrono::sys_time<std::chrono::minutes> at(std::chrono::minutes m) { return std::chrono::sys_time<std::chrono::minutes>(m); }

struct three_failed_logins {
  using output = std::string;
  struct state {
    weir::list_state<std::string> failures;  // addresses, each with its time
    bool locked = false;
  };
  using context = weir::process_context<std::string, output>;

  void element(login const& l, state& s, context& c) const {
    if (l.succeeded || s.locked) return;
    s.failures.add(l.address, c.time());
    s.failures.drop_before(c.earlier(5min));
    if (s.failures.size() < 3) return;
    c.emit(c.key() + " is locked: three failed logins, first from " + s.failures.front().value);
    s.locked = true;
    c.set_timer(c.later(15min));
  }
  void timer(weir::instant, state& s, context& c) const {
    s = state();
    c.emit(c.key() + " is open again");
  }
};

int main() {
  weir::testing::script<login> logins;
  logins.element({"ann", "10.0.0.1", false, at(1min)}).element({"bob", "10.0.0.2", false, at(2min)});
  logins.element({"ann", "10.0.0.9", false, at(3min)}).element({"ann", "10.0.0.1", false, at(5min)});
  logins.element({"bob", "10.0.0.2", false, at(9min)}).element({"bob", "10.0.0.2", true, at(30min)});

  weir::application app;
  app.use_memory_stream(logins, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<login> in, weir::cancellation) -> weir::task<> {
      auto alerts = std::move(in) | weir::event_time(&login::time, weir::monotonic()) | weir::key_by(&login::account) |
                    weir::process(three_failed_logins(), weir::expire_after(15min));
      while (auto* text = co_await alerts.next()) std::cout << *text << '\n';
    });
  });
  return app.run();
}
