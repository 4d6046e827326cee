#include "framework/state/postgres/server.hpp"

#include "support/skip.hpp"
#include "support/small_disk.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace weir::test {
namespace {

std::optional<std::filesystem::path> find_programs() {
  std::error_code none;
  for (auto const& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
    if (auto const bin = version.path() / "bin"; std::filesystem::exists(bin / "initdb") && std::filesystem::exists(bin / "postgres"))
      return bin;
  return std::nullopt;
}

int free_port() {
  int const fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&at), size) != 0 || ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    throw std::runtime_error("no free port");
  ::close(fd);
  return ntohs(at.sin_port);
}

// The server refuses to run as root.
passwd const* other_user() {
  if (::geteuid() != 0) return nullptr;
  passwd const* const postgres = ::getpwnam("postgres");
  return postgres ? postgres : ::getpwnam("nobody");
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  std::ifstream in("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; in >> child;) out.push_back(child);
  return out;
}

}  // namespace

postgres_server* postgres_server::running() {
  static std::unique_ptr<postgres_server> one;
  if (one) return one.get();
  auto const programs = find_programs();
  if (!programs) {
    skip("no PostgreSQL server below /usr/lib/postgresql (package postgresql)");
    return nullptr;
  }
  small_disk const apart(4);  // from here on this program has mounts of its own, and the server has the same
  one.reset(new postgres_server(*programs));
  return one.get();
}

postgres_server::postgres_server(std::filesystem::path programs) : programs_(std::move(programs)), port_(free_port()) {
  give(folder_.path());
  int status = 0;
  pid_t const made = launch(
      {(programs_ / "initdb").string(), "-D", folder_.file("data"), "-U", "weir", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"});
  if (::waitpid(made, &status, 0) != made || status != 0) throw std::runtime_error("initdb failed: " + folder_.read("log"));
  std::ofstream(folder_.file("data/pg_hba.conf")) << "local all guarded scram-sha-256\n"
                                                     "host all guarded 127.0.0.1/32 scram-sha-256\n"
                                                     "local all all trust\n"
                                                     "host all all 127.0.0.1/32 trust\n";
  start();
}

postgres_server::~postgres_server() {
  if (process_ > 0) stop();
}

void postgres_server::give(std::filesystem::path const& folder) {
  if (passwd const* const user = other_user())
    if (::chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("cannot give the folder away");
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
}

std::string postgres_server::conninfo(std::string const& more) const {
  return "host=" + sockets() + " port=" + std::to_string(port_) + " user=weir dbname=postgres " + more;
}

pid_t postgres_server::launch(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  passwd const* const user = other_user();
  std::string const log = folder_.file("log");
  pid_t const parent = ::getpid();
  pid_t const child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child != 0) return child;
  if (user != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // of another user it is forgotten: it comes after
  if (::getppid() != parent) ::_exit(126);
  int const out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(out, 1);
  ::dup2(out, 2);
  for (int fd = 3; fd < 1024; ++fd) ::close(fd);
  if (::chdir("/") != 0) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

void postgres_server::start() {
  process_ = launch({(programs_ / "postgres").string(), "-D", folder_.file("data"), "-k", sockets(), "-p", std::to_string(port_), "-c",
                     "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=40", "-c", "shared_buffers=32MB"});
  wait_until_ready();
}

void postgres_server::wait_until_ready() {
  for (int tries = 0; tries != 3000; ++tries) {
    if (PQping(conninfo("connect_timeout=2").c_str()) == PQPING_OK) return;
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {  // what the one before had is not free yet
      ::poll(nullptr, 0, 100);
      start();
      return;
    }
    ::poll(nullptr, 0, 20);
  }
  throw std::runtime_error("the server does not start: " + folder_.read("log"));
}

void postgres_server::kill() {
  ::kill(process_, SIGSTOP);  // it would stop the others in an orderly way
  for (pid_t const child : children_of(process_)) ::kill(child, SIGKILL);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

void postgres_server::stop() {
  ::kill(process_, SIGINT);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace weir::test
