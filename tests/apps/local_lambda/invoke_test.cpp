// `weir lambda invoke` as a user meets it, with the function of the tests.
#include <weir/net/base64.hpp>
#include <weir/testing/lambda_events.hpp>

#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/variables.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

using namespace weir;
using Catch::Contains;

namespace {

// A folder with events, and the tool in it.
class invoked {
public:
  static bool ready() {
    bool const there = test::program_of("WEIR_BINARY") && test::program_of("WEIR_TEST_FUNCTION");
    return there || !test::skip("WEIR_BINARY and WEIR_TEST_FUNCTION name no programs");
  }
  // An event of Kinesis with these data.
  invoked& event(std::string const& name, std::vector<std::string> const& data) {
    testing::kinesis_event e;
    for (std::string const& one : data) e.record(one);
    folder_.write(name, e.json());
    return *this;
  }
  invoked& file(std::string const& name, std::string const& text) {
    folder_.write(name, text);
    return *this;
  }
  test::ending run_shell(std::vector<std::string> const& words) {
    test::variables const effects({{"WEIR_EFFECTS", folder_.file("effects")}});
    return test::run_program("/bin/sh", words, folder_.path());
  }
  test::ending run(std::vector<std::string> words, std::vector<std::string> function = {test::program_of("WEIR_TEST_FUNCTION").value()}) {
    test::variables const effects({{"WEIR_EFFECTS", folder_.file("effects")}});
    words.insert(words.begin(), {"lambda", "invoke"});
    words.push_back("--");
    words.insert(words.end(), function.begin(), function.end());
    return test::run_program(test::program_of("WEIR_BINARY").value(), words, folder_.path());
  }
  std::string effects() const { return read("effects"); }
  std::string read(std::string const& name) const { return folder_.read(name); }

private:
  test::temporary_folder folder_;
};

}  // namespace

TEST_CASE("a function is invoked with events, and its answers are printed") {
  if (!invoked::ready()) return;
  invoked here;
  auto const e = here.event("a.json", {"1", "2"}).event("b.json", {"3"}).run({"a.json", "b.json"});
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(e.out == "{\"batchItemFailures\":[]}\n{\"batchItemFailures\":[]}\n");
  CHECK_THAT(e.err, Contains("weir: a.json: answered in ") && Contains(", started in ") && Contains(": 2 of 2 records done"));
  CHECK_THAT(e.err, Contains("weir: b.json: answered in ") && Contains(": 1 of 1 record done"));
  CHECK(here.effects() == "1\n2\n3\n");
}

TEST_CASE("records that are reported make the run fail, or come again") {
  if (!invoked::ready()) return;
  invoked here;
  here.event("a.json", {"1", "throw", "2"});
  auto const once = here.run({"a.json"});
  CHECK(once.exit_code == 1);
  CHECK_THAT(once.out, Contains("itemIdentifier"));
  CHECK_THAT(once.err, Contains(": 1 of 3 records done"));
  auto const again = here.run({"a.json", "--redeliver", "2"});
  CHECK(again.exit_code == 1);
  CHECK_THAT(again.err, Contains("again with 2 records (1 of 2)") && Contains("again with 2 records (2 of 2)"));
  CHECK(here.effects() == "1\n1\n");
}

TEST_CASE("a function that fails, or is no function, makes the run fail") {
  if (!invoked::ready()) return;
  invoked here;
  here.file("odd.json", R"({"key1":"value1"})").event("a.json", {"1"});
  auto const odd = here.run({"odd.json"});
  CHECK(odd.exit_code == 1);
  CHECK(odd.out.empty());
  CHECK_THAT(odd.err, Contains("odd.json: failed after ") && Contains("Weir.InvocationFailed"));
  auto const gone = here.run({"a.json"}, {"/bin/sh", "-c", "echo said; exit 7"});
  CHECK(gone.exit_code == 1);
  CHECK(gone.out.empty());
  CHECK_THAT(gone.err, Contains("said\n") && Contains("the program ended with exit code 7 before it answered"));
  auto const none = here.run({"a.json"}, {"./no-such-program"});
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("weir: cannot start ./no-such-program"));
}

TEST_CASE("what a function has started is ended with it") {
  if (!invoked::ready()) return;
  invoked here;
  here.event("a.json", {"1"});
  auto const e = here.run({"a.json", "--timeout", "1"}, {"/bin/bash", "-c", "sleep 1000 & echo $! > started; exit 3"});
  INFO(e.err);
  CHECK(e.exit_code == 1);
  int const watch = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(here.read("started")), 0));
  if (watch < 0) return;  // gone already
  ::pollfd ended{watch, POLLIN, 0};
  CHECK(::poll(&ended, 1, 10'000) == 1);
  ::close(watch);
}

TEST_CASE("a function is invoked where the end of children is ignored") {
  if (!invoked::ready()) return;
  invoked here;
  here.event("a.json", {"1"});
  std::string const command = "trap '' CHLD; exec \"$0\" lambda invoke a.json -- \"$1\"";
  test::ending const e =
      here.run_shell({"-c", command, test::program_of("WEIR_BINARY").value(), test::program_of("WEIR_TEST_FUNCTION").value()});
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(e.out == "{\"batchItemFailures\":[]}\n");
}

TEST_CASE("a function that is too slow is ended, and started again for the next event") {
  if (!invoked::ready()) return;
  invoked here;
  here.event("a.json", {"1"}).event("b.json", {"2"});
  // It takes the first invocation, and hangs.
  std::string const hangs =
      "if [ -e taken ]; then exec \"$0\"; fi; touch taken; "
      "exec 3<>/dev/tcp/${AWS_LAMBDA_RUNTIME_API/://}; "
      "printf 'GET /2018-06-01/runtime/invocation/next HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3; exec sleep 1000 <&3";
  auto const e =
      here.run({"a.json", "b.json", "--timeout", "1"}, {"/bin/bash", "-c", hangs, test::program_of("WEIR_TEST_FUNCTION").value()});
  INFO(e.err);
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains("a.json: failed after 1") && Contains("it took longer than 1 s (--timeout), and was ended"));
  CHECK(e.out == "{\"batchItemFailures\":[]}\n");
  CHECK(here.effects() == "2\n");
}

TEST_CASE("an event that cannot be read is said before anything runs") {
  if (!invoked::ready()) return;
  invoked here;
  here.event("a.json", {"1"});
  for (std::string const unreadable : {"none.json", "."}) {
    auto const e = here.run({"a.json", unreadable});
    CHECK(e.exit_code == 1);
    CHECK_THAT(e.err, Contains("cannot read the event " + unreadable));
    CHECK(e.out.empty());
  }
}
