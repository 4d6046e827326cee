#pragma once
#include <weir/net/http_options.hpp>
#include <weir/net/response.hpp>
#include <weir/net/streamed_request.hpp>
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <memory>

namespace weir::net::detail {

struct proxy;
class tls_settings;
using message = boost::beast::http::request<boost::beast::http::string_body>;

// A connection to a server, for one request at a time, on the strand that made it. After a failure it is good for nothing any more.
class connection {
public:
  // Resolves, connects, through the proxy where there is one (null: none), and shakes hands where the origin is secure. Each within its
  // time of the options.
  static task<std::unique_ptr<connection>> open(url const& to, http_options const& options, tls_settings& tls, proxy const* by);
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;
  virtual ~connection() = default;

  // Sends a request and reads the reply to it. Both outlive the task.
  virtual task<response> ask(message const& m, http_options const& limits) = 0;
  // The same with a body that is pulled while it is sent: the request is its head. What the body fails with passes through.
  virtual task<response> ask(message const& head, streamed_request& of, http_options const& limits) = 0;
  // Anything of the reply came. Otherwise a server that had closed the connection before has not seen the request.
  virtual bool heard() const noexcept = 0;
  // The server leaves it open for another request.
  virtual bool reusable() const noexcept = 0;
  // Nothing came while nobody used it: neither its end, nor a reply that nobody asked for.
  virtual bool quiet() noexcept = 0;
  virtual boost::asio::any_io_executor executor() noexcept = 0;

protected:
  connection() = default;
};

}  // namespace weir::net::detail
