#pragma once
#include <weir/net/detail/h2_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct nghttp2_session;

namespace weir::net::detail {

// What a client lets a server send before it asks for more.
struct h2_limits {
  h2_limits(std::size_t window_size, std::size_t header) noexcept : window(window_size), most_header(header) {}
  std::size_t window;       // bytes of a body that nobody has taken, 65,535 to 2^31 - 1
  std::size_t most_header;  // bytes of a reply's header
};

// A client's end of an HTTP/2 connection (RFC 9113, by nghttp2), without I/O: bytes of the server in, bytes for it out.
//
// A body is taken piece by piece, and only what was taken is made room for (WINDOW_UPDATE): who does not take, stops the server, and only
// with this body, as the connection's own window is made room in at once.
class h2_session {
public:
  explicit h2_session(h2_limits limits);
  h2_session(h2_session const&) = delete;
  h2_session& operator=(h2_session const&) = delete;
  ~h2_session();

  // Begins a request, and says its number. Its reply comes into `stream`, which changes with `receive` and `lose` only.
  std::int32_t open(h2_request r);
  std::shared_ptr<h2_stream> stream(std::int32_t id) const;
  // So many bytes of a body were taken.
  void consume(std::int32_t id, std::size_t bytes);
  // Nobody wants the reply any more: what is under way is reset.
  void drop(std::int32_t id);
  // Says goodbye, when no request is under way: servers are known that are confused by it otherwise.
  void finish();
  // Asks the server to answer; `pongs` counts its answers.
  void ping();
  std::size_t pongs() const noexcept { return pongs_; }

  // In pieces of any size.
  void receive(std::string_view bytes);
  // What is to be sent; empty: nothing at the moment. It may show that the server has broken a rule, and so change streams.
  std::string output();
  // The connection is good for nothing any more: what is under way has failed for this.
  void lose(h2_failure const& why);

  // The numbers of what has changed since the last call.
  std::vector<std::int32_t> changed();
  // It takes another request: neither it nor the server is about to end it, nor are there as many as the server lets there be.
  bool has_room() const;
  // Nothing more will come or be sent.
  bool over() const;
  std::size_t open_streams() const noexcept { return streams_.size(); }

private:
  friend struct h2_callbacks;
  struct session_deleter {
    void operator()(nghttp2_session* s) const noexcept;
  };

  h2_stream* find(std::int32_t id) const;
  void fail(std::int32_t id, h2_failure why);
  h2_failure fault() const;

  h2_limits const limits_;
  std::map<std::int32_t, std::shared_ptr<h2_stream>> streams_;
  std::vector<std::int32_t> changed_;
  std::size_t pongs_ = 0;
  bool greeted_ = false;                   // the server has begun as it must (SETTINGS: RFC 9113, section 3.4)
  bool leaving_ = false, broken_ = false;  // the server ends it, or we do; it broke the rules
  std::string rule_;                       // which one
  std::unique_ptr<nghttp2_session, session_deleter> session_;
};

}  // namespace weir::net::detail
