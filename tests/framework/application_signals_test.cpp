// What signals do to an application that runs in a process of its own.
#include <weir/application.hpp>

#include <weir/memory/use_memory_stream.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using testing::script;

namespace {

// What a process has said, and how it ended.
struct end_of_process {
  std::string said;
  int status = 0;
};

// Runs `program`, which says "ready" (`say`) some time, in a child, and sends it these signals then.
end_of_process with_signals(std::function<int(std::function<void(std::string const&)> say)> const& program, int signals) {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  pid_t const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto const say = [to = pipe_ends[1]](std::string const& line) {
      if (::write(to, (line + "\n").data(), line.size() + 1) < 0) ::_exit(99);
    };
    ::_exit(program(say));
  }
  ::close(pipe_ends[1]);
  end_of_process out;
  bool sent = false;
  char byte = 0;
  while (::read(pipe_ends[0], &byte, 1) == 1) {
    out.said += byte;
    if (sent || out.said.find("ready\n") == std::string::npos) continue;
    sent = true;
    for (int i = 0; i != signals; ++i) ::kill(child, i == 0 ? SIGTERM : SIGINT);
  }
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  out.status = WEXITSTATUS(status);
  return out;
}

settings quick(std::function<void(std::string const&)> const& say) {
  settings s = test::keeping_in(nullptr);
  s.log = logger(log_level::warning, [say](log_level, std::string_view m) { say(std::string(m)); });
  s.drain_timeout = s.cancel_timeout = 20ms;
  return s;
}

}  // namespace

TEST_CASE("a signal drains, and the exit code says which", "[framework][application]") {
  auto const end = with_signals(
      [](auto say) {
        application app(quick(say));
        app.use_memory_stream(script<int>().elements({1, 2}).wait(1h), [&](auto& p) {
          p.use_stream([&](stream<int> in, cancellation) -> task<> {
            while (int* const x = co_await in.next())
              if (*x == 2) say("ready");
          });
        });
        return app.run();
      },
      1);
  INFO(end.said);
  CHECK(end.status == 128 + SIGTERM);
  CHECK(end.said.find("draining (signal 15)") != std::string::npos);
}

TEST_CASE("a second signal cancels, and says what is left", "[framework][application]") {
  auto const end = with_signals(
      [](auto say) {
        settings s = quick(say);
        s.drain_timeout = 1h;
        application app(std::move(s));
        app.use_memory_stream(script<int>().elements({1, 2}), [&](auto& p) {
          p.use_stream([&](stream<int> in, cancellation) -> task<> {
            while (co_await in.next()) {
              say("ready");
              co_await sleep_for(1h);
            }
          });
        });
        return app.run();
      },
      2);
  INFO(end.said);
  CHECK(end.status == application::exit_unfinished);
  CHECK(end.said.find("partition 0, done up to nothing): 2 records") != std::string::npos);
}

TEST_CASE("a handler that does not give the thread back cannot hold up the end", "[framework][application]") {
  auto const end = with_signals(
      [](auto say) {
        application app(quick(say));
        app.use_memory_stream(script<int>().element(1), [&](auto& p) {
          p.use_stream([&](stream<int> in, cancellation) -> task<> {
            co_await in.next();
            say("ready");
            for (;;) ::pause();
          });
        });
        return app.run();
      },
      1);
  INFO(end.said);
  CHECK(end.status == application::exit_unfinished);
  CHECK(end.said.find("the thread is not given back") != std::string::npos);
  CHECK(end.said.find("pipeline memory, partition 0: handling for") != std::string::npos);
}
