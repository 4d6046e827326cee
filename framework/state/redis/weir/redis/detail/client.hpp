#pragma once
#include <weir/redis/detail/connection.hpp>
#include <weir/redis/detail/reply.hpp>
#include <weir/redis/detail/scripts.hpp>
#include <weir/redis/options.hpp>
#include <weir/task.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weir::redis::detail {

// Runs scripts on a server, over connections that it makes as they are needed and keeps. From any strand; where many ask at the same time,
// each has a connection of its own.
class client {
public:
  explicit client(options where) : where_(std::move(where)) {}
  client(client const&) = delete;
  client& operator=(client const&) = delete;

  // What the script returns. A lost connection, or a server that asks for patience, is tried again until options::patience is over: the
  // script may run more than once. Fails with what the server says, or with why it could not be reached.
  // `words`: how many keys, the keys, the arguments. `confirmed`: what it wrote has reached options::replicas.
  enum class wait_for { answer, replicas };
  task<reply> run(script s, std::vector<std::string_view> words, std::string what, wait_for until = wait_for::answer);

  options const& where() const noexcept { return where_; }

private:
  struct line {
    std::unique_ptr<connection> to;
    std::array<std::string, script_count> names;  // of the scripts, on the server
  };
  task<std::unique_ptr<line>> take();
  void give_back(std::unique_ptr<line> l);
  task<> greet(line& l);
  task<reply> run_once(script s, std::vector<std::string_view> const& words, std::string const& what, wait_for until);
  task<> wait_for_replicas(connection& c);

  options where_;
  std::mutex lock_;
  std::vector<std::unique_ptr<line>> resting_;
};

}  // namespace weir::redis::detail
