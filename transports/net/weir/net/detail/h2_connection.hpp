#pragma once
#include <weir/net/detail/h2_exchange.hpp>
#include <weir/net/detail/h2_keep_alive.hpp>
#include <weir/net/detail/h2_session.hpp>
#include <weir/net/http2_options.hpp>
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace weir::net::detail {

struct proxy;
class tls_settings;

// Moves the bytes of a session, on the strand that made it, for as long as somebody has an exchange on it: nobody waits for the connection
// as such, so it is made of completions, which keep it. It is closed when the last exchange is gone.
class h2_connection : public std::enable_shared_from_this<h2_connection> {
public:
  // Resolves, connects, through the proxy where there is one (null: none), and shakes hands where the origin is secure. Send something on
  // it at once: it ends with its last exchange.
  static task<std::shared_ptr<h2_connection>> open(url const& to, http2_options const& options, tls_settings& tls, proxy const* by);
  h2_connection(h2_connection const&) = delete;
  h2_connection& operator=(h2_connection const&) = delete;
  virtual ~h2_connection() = default;

  bool has_room() const { return !closed_ && !finishing_ && session_.has_room(); }
  std::unique_ptr<h2_exchange> send(h2_request r);

protected:
  h2_connection(boost::asio::any_io_executor const& strand, http2_options const& options);
  void start();
  boost::asio::mutable_buffer room() noexcept { return boost::asio::buffer(in_); }
  boost::asio::const_buffer waiting() const noexcept { return boost::asio::buffer(out_); }
  void did_read(boost::system::error_code const& failed, std::size_t size);
  void did_write(boost::system::error_code const& failed);

private:
  friend class h2_exchange;
  // Reads something into `room`, writes all that is `waiting`; then says so.
  virtual void read() = 0;
  virtual void write() = 0;
  virtual void close() noexcept = 0;

  void consume(std::int32_t id, std::size_t bytes);
  void forget(std::int32_t id);
  void flush();
  void wake();
  void finish();
  void lose(h2_failure const& why);
  void shut() noexcept;
  void watch(h2_keep_alive::clock::time_point until);
  void look();

  h2_session session_;
  h2_keep_alive alive_;
  boost::asio::steady_timer timer_;
  std::map<std::int32_t, h2_exchange*> exchanges_;
  std::array<char, std::size_t{32} * 1024> in_{};
  std::string out_;
  bool writing_ = false, finishing_ = false, closed_ = false;
};

}  // namespace weir::net::detail
