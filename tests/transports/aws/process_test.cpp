// Commands are the shell's own, and their time is the system's, as that of a server is.
#include <weir/aws/detail/process_credentials.hpp>
#include <weir/aws/detail/shell_command.hpp>
#include <weir/aws/profile_credentials.hpp>
#include <weir/instant.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

using namespace weir;
using namespace std::chrono;
using test::fails_with;
using found = std::optional<aws::credentials>;

namespace {

aws::credentials of(std::string command, milliseconds limit = 1min) {
  return testing::run(aws::detail::process_credentials(std::move(command), "p", limit));
}
aws::detail::command_result run(std::string command, milliseconds limit = 1min) {
  return testing::run(aws::detail::run_shell_command(std::move(command), limit));
}
std::string read_file(std::string const& name) {
  std::ifstream in(name);
  return {std::istreambuf_iterator<char>(in), {}};
}
constexpr char const* keys = R"({"Version":1,"AccessKeyId":"ASIA","SecretAccessKey":"s")";

}  // namespace

TEST_CASE("a command of the shell, its output, and its end", "[aws][process]") {
  auto const both = run("echo out; echo err >&2; exit 7");
  CHECK(both.out == "out\n");
  CHECK(both.err == "err\n");
  CHECK(both.status == 7);
  CHECK_FALSE(both.too_late);
  CHECK(run("kill -9 $$").status == 137);
  CHECK(run("no-such-command-here").status == 127);  // POSIX, "Exit Status for Commands"
  CHECK(run("cat").out.empty());                     // it has no input
  CHECK(run("printf '%s' \"a b\" 'c  d'").out == "a bc  d");
}

TEST_CASE("much output is read to its end, and its beginning kept", "[aws][process]") {
  auto const much = run("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; echo end >&2; exit 3");
  CHECK(much.out.size() == 65'536);
  CHECK(much.err.size() == 65'536);
  CHECK(much.status == 3);
}

TEST_CASE("a command that takes too long is killed, with all that it has started", "[aws][process]") {
  test::temporary_folder const folder;
  auto const late = run("(echo $$ > " + folder.file("shell") + "; sleep 1000) & sleep 1000", 200ms);
  CHECK(late.too_late);
  CHECK(late.status == 137);
  CHECK(run("sleep 1000 & echo done", 200ms).too_late);  // who is left has the output open
}

TEST_CASE("who has left a command's process group keeps nobody waiting behind its limit", "[aws][process]") {
  test::temporary_folder const folder;
  std::string const file = folder.file("id"), end = folder.file("end");
  std::string const command = "setsid sh -c 'echo $$ > " + file + "; sleep 20; echo > " + end + "' & wait";
  // However long it takes to get out of the group.
  for (milliseconds limit = 200ms; read_file(file).empty() && limit < 1min; limit *= 2) CHECK(run(command, limit).too_late);
  CHECK(read_file(end).empty());
  ::kill(-std::stoi(read_file(file)), SIGKILL);
}

TEST_CASE("a command whose waiter gives up is killed", "[aws][process]") {
  test::temporary_folder const folder;
  std::string const file = folder.file("id");
  auto const waiting = [&]() -> task<> {
    task<aws::detail::command_result> running = aws::detail::run_shell_command("echo $$ > " + file + "; exec sleep 1000", 10min);
    (void)co_await with_timeout(1s, std::move(running));
  };
  fails_with(errc::timed_out, [&] { testing::run(waiting()); });
  std::string const id = read_file(file);
  // It may not have come so far when virtual time had passed.
  if (!id.empty()) CHECK(::kill(std::stoi(id), 0) != 0);
}

TEST_CASE("a command prints credentials", "[aws][process]") {
  CHECK(of("echo '" + std::string(keys) + "}'") == aws::credentials("ASIA", "s"));
  CHECK(of("echo '" + std::string(keys) + R"(,"SessionToken":"t","Expiration":"2024-01-01T01:00:00Z","AccountId":null}')") ==
        aws::credentials("ASIA", "s", "t", to_instant(sys_days(2024y / January / 1) + 1h)));
}

TEST_CASE("a command that fails says why, and never what it prints", "[aws][process]") {
  std::string const secret = "SECRETKEY";
  auto const fails = [&](errc code, std::string const& command, auto const&... parts) {
    try {
      of(command, 10s);
      FAIL("nothing was thrown");
    } catch (error const& e) {
      std::string const message = e.what();
      INFO(message);
      CHECK(e.code() == code);
      CHECK(message.find("aws: no credentials (profile p): the command of credential_process") == 0);
      CHECK(message.find(secret) == std::string::npos);
      for (std::string const& part : {std::string(parts)...}) CHECK(message.find(part) != std::string::npos);
    }
  };
  fails(errc::rejected, "echo SECRETKEY; echo 'no session:\n log in' >&2; exit 3", "status 3: no session:  log in", "run it by hand");
  fails(errc::rejected, "exit 1", "status 1");
  fails(errc::malformed, "echo SECRETKEY", "no JSON object", R"(it has to print {"Version":1)");
  fails(errc::malformed, "true", "no JSON object");
  fails(errc::malformed, R"(echo '{"AccessKeyId":"A","SecretAccessKey":"SECRETKEY"}')", "no Version 1");
  fails(errc::malformed, R"(echo '{"Version":2,"AccessKeyId":"A","SecretAccessKey":"SECRETKEY"}')", "no Version 1");
  fails(errc::malformed, R"(echo '{"Version":1,"AccessKeyId":"A"}')", "no keys");
  fails(errc::malformed, R"(echo '{"Version":1,"AccessKeyId":"A","SecretAccessKey":"SECRETKEY","Expiration":"soon"}')", "Expiration");
  fails(errc::access_denied, R"(echo '{"Version":1,"AccessKeyId":"A","SecretAccessKey":"SECRETKEY","Expiration":"2023-12-31T23:59:59Z"}')",
        "expired at 2023-12-31T23:59:59Z");
}

TEST_CASE("a command that hangs is given up", "[aws][process]") {
  fails_with(errc::timed_out, [] { of("echo waiting for a finger >&2; sleep 1000", 300ms); }, "300 ms", "waiting for a finger");
}

TEST_CASE("a profile names the command", "[aws][process]") {
  test::temporary_folder const folder;
  std::string const config = folder.file("config");
  std::ofstream(config) << "[profile c]\ncredential_process = echo '" << keys << "}'\n"
                        << "[profile both]\ncredential_process = false\naws_access_key_id = A\naws_secret_access_key = b\n";
  auto const profile = [&](char const* name) {
    return testing::run(aws::profile_credentials(name, test::with_variables({{"AWS_CONFIG_FILE", config}, {"HOME", "/nowhere"}})).fetch());
  };
  CHECK(profile("c") == found(aws::credentials("ASIA", "s")));
  CHECK(profile("both") == found(aws::credentials("A", "b")));
}
