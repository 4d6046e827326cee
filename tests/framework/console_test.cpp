// Lines on a descriptor, in front of the commit that says that they are done.
#include <weir/console.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using test::fails_with;
using test::keeping_in;
using testing::fault;
using testing::script;

namespace {

class pipe_ends {
public:
  pipe_ends() { REQUIRE(::pipe2(ends_.data(), O_CLOEXEC) == 0); }
  pipe_ends(pipe_ends const&) = delete;
  pipe_ends& operator=(pipe_ends const&) = delete;
  ~pipe_ends() {
    close(0);
    close(1);
  }
  int in() const { return ends_[1]; }
  int out() const { return ends_[0]; }
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
  }
  // What has been written by now.
  std::string text() {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string all;
    std::array<char, 4096> some{};
    for (ssize_t n = 0; (n = ::read(ends_[0], some.data(), some.size())) > 0;) all.append(some.data(), static_cast<std::size_t>(n));
    return all;
  }

private:
  std::array<int, 2> ends_{-1, -1};
};

console<int> numbers_on(pipe_ends const& p) {
  return console<int>([](int x) { return "number " + std::to_string(x); }, p.in());
}
task<> copy(stream<int> s, stream_context& context) {
  while (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
}
void copy_to(pipe_ends const& p, std::shared_ptr<state_store> store, script<int> input) {
  application app(keeping_in(std::move(store), 2));
  app.use_memory_stream(std::move(input), [&](auto& pipeline) { pipeline.use_sink("out", numbers_on(p)).use_stream(copy); });
  testing::run(app.serve());
}
std::optional<position> stored(state_store& store) {
  auto const saved = testing::run(store.load(checkpoint_key("test/memory", "memory", "0")));
  return saved ? std::optional(saved->head.position) : std::nullopt;
}

}  // namespace

TEST_CASE("a console has a line for each row, when they are done", "[framework][sink]") {
  pipe_ends p;
  std::vector<std::string> seen;
  application app(keeping_in(std::make_shared<memory_state_store>(), 2));
  app.use_memory_stream(script<int>().elements({1, 2}).element(3), [&](auto& pipeline) {
    pipeline.use_sink("out", numbers_on(p)).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        co_await context.sink<int>("out").write(*x);
        seen.push_back(p.text());
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<std::string>{"", "", "number 1\nnumber 2\n"});
  CHECK(p.text() == "number 3\n");
}

TEST_CASE("when the reader of a pipe has gone, the commit fails, and the lines come again", "[framework][sink]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const input = script<int>().elements({1, 2}).elements({3, 4});
  pipe_ends gone;
  gone.close(0);
  fails_with(errc::io, [&] { copy_to(gone, store, input); }, "console", "gone away");
  CHECK(stored(*store) == std::nullopt);
  pipe_ends p;
  copy_to(p, store, input);
  CHECK(p.text() == "number 1\nnumber 2\nnumber 3\nnumber 4\n");
  CHECK(stored(*store) == position(4));
}

TEST_CASE("lines whose commit fails are not written again while the process lives, and are after a restart", "[framework][sink]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const input = script<int>().elements({1, 2}).elements({3, 4});
  pipe_ends p;
  auto const flaky = std::make_shared<testing::faulty_store>(store, testing::fault_script("commit").at(1, fault::fail));
  fails_with(errc::unavailable, [&] { copy_to(p, flaky, input); });
  CHECK(p.text() == "number 1\nnumber 2\n");  // the last commit of the run was the same one again, and succeeded
  CHECK(stored(*store) == position(2));
  auto const broken = std::make_shared<testing::faulty_store>(store, testing::fault_script("commit").at(1, fault::fail).at(2, fault::fail));
  fails_with(errc::unavailable, [&] { copy_to(p, broken, input); });
  CHECK(p.text() == "number 3\nnumber 4\n");
  copy_to(p, store, input);
  CHECK(p.text() == "number 3\nnumber 4\n");
}

TEST_CASE("more than a pipe takes is written as it is read", "[framework][sink]") {
  pipe_ends p;
  ::fcntl(p.in(), F_SETPIPE_SZ, 4096);
  std::vector<int> const many(2000, 7);
  auto const part = numbers_on(p).write(many);
  std::string read;
  std::thread reader([&] {
    std::array<char, 100> some{};
    for (ssize_t n = 0; (n = ::read(p.out(), some.data(), some.size())) > 0;) read.append(some.data(), static_cast<std::size_t>(n));
  });
  testing::run(part->write(checkpoint_key(), 1));
  p.close(1);
  reader.join();
  std::string expected;
  for (int i = 0; i != 2000; ++i) expected += "number 7\n";
  CHECK((read == expected));
}
