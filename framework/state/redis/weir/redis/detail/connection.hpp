#pragma once
#include <weir/redis/detail/reply.hpp>
#include <weir/redis/options.hpp>
#include <weir/task.hpp>

#include <boost/asio/generic/stream_protocol.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::redis::detail {

// A connection to a server. In use it belongs to the strand of who uses it; at rest to nobody, so that another strand may have it next.
// After a failure it is good for nothing any more.
class connection {
public:
  // Resolves, connects. Fails with errc::unavailable, errc::timed_out.
  static task<std::unique_ptr<connection>> open(options const& where);
  explicit connection(options const& where) : where_(&where) {}
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;
  ~connection();

  void rest();
  // Nothing came while it was at rest: neither its end, nor a reply that nobody asked for.
  bool fresh() const noexcept;

  // Sends commands (see put_command) and reads so many replies, error replies among them. `longer`: what the server itself may wait, beside
  // options::reply_timeout.
  task<std::vector<reply>> ask(std::string commands, std::size_t replies, std::chrono::milliseconds longer = {});

private:
  using socket = boost::asio::generic::stream_protocol::socket;
  task<> connect();
  task<> send(std::string const& commands);
  task<> receive(std::size_t replies, std::chrono::milliseconds limit, std::vector<reply>& to);
  task<> write_all(std::string_view bytes);
  task<std::size_t> read_some();

  options const* where_;
  std::optional<socket> socket_;
  boost::asio::generic::stream_protocol protocol_{0, 0};
  int resting_ = -1;
  reply_reader reader_;
  std::vector<char> buffer_ = std::vector<char>(64 * 1024);
};

}  // namespace weir::redis::detail
