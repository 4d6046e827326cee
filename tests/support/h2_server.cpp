#include "support/h2_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace weir::test {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// What others may look at, from any thread.
struct h2_notes {
  mutable std::mutex lock;
  mutable std::condition_variable changed;
  std::vector<h2_request> seen;
  std::map<h2_id, std::size_t> sent;
  std::map<h2_id, std::uint32_t> resets;
  std::map<std::size_t, bool> over;
  std::size_t connections = 0, early_goodbyes = 0, pings = 0;

  template <class F> void note(F change) {
    {
      std::lock_guard const held(lock);
      change();
    }
    changed.notify_all();
  }
};

// A connection. On the server's thread.
class h2_peer : public std::enable_shared_from_this<h2_peer> {
public:
  h2_peer(std::size_t number, h2_server::options const& o, h2_notes& n, std::function<void(h2_request const&)> ask)
      : number_(number), options_(o), notes_(n), ask_(std::move(ask)) {
    nghttp2_session_callbacks* c = nullptr;
    nghttp2_option* how = nullptr;
    ::nghttp2_session_callbacks_new(&c);
    ::nghttp2_option_new(&how);
    ::nghttp2_session_callbacks_set_on_header_callback(
        c, [](nghttp2_session*, nghttp2_frame const* f, std::uint8_t const* name, std::size_t name_size, std::uint8_t const* value,
              std::size_t value_size, std::uint8_t, void* p) {
          static_cast<h2_peer*>(p)->at(f->hd.stream_id).asked.headers[text(name, name_size)] = text(value, value_size);
          return 0;
        });
    ::nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        c, [](nghttp2_session*, std::uint8_t, std::int32_t id, std::uint8_t const* data, std::size_t size, void* p) {
          static_cast<h2_peer*>(p)->at(id).asked.body += text(data, size);
          return 0;
        });
    ::nghttp2_session_callbacks_set_on_frame_recv_callback(
        c, [](nghttp2_session*, nghttp2_frame const* f, void* p) { return static_cast<h2_peer*>(p)->came(*f); });
    ::nghttp2_session_callbacks_set_on_frame_send_callback(c, [](nghttp2_session*, nghttp2_frame const* f, void* p) {
      auto& me = *static_cast<h2_peer*>(p);
      if (f->hd.type == NGHTTP2_DATA) me.notes_.note([&] { me.notes_.sent[h2_id{me.number_, f->hd.stream_id}] += f->data.hd.length; });
      return 0;
    });
    ::nghttp2_option_set_no_auto_ping_ack(how, options_.answers_pings ? 0 : 1);
    ::nghttp2_session_server_new2(&session_, c, this, how);
    ::nghttp2_option_del(how);
    ::nghttp2_session_callbacks_del(c);
    nghttp2_settings_entry const most{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options_.most_streams};
    ::nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &most, 1);
  }
  h2_peer(h2_peer const&) = delete;
  h2_peer& operator=(h2_peer const&) = delete;
  virtual ~h2_peer() { ::nghttp2_session_del(session_); }

  void begin() {
    if (!options_.greeting.empty()) out_ = options_.greeting;
    read();
    flush();
  }
  void head(std::int32_t id, unsigned status, h2_server::fields const& all, bool whole) {
    std::string const code = std::to_string(status);
    std::vector<nghttp2_nv> list{field(":status", code)};
    for (auto const& [name, value] : all) list.push_back(field(name, value));
    nghttp2_data_provider from{};
    from.source.ptr = this;
    from.read_callback = [](nghttp2_session*, std::int32_t stream, std::uint8_t* to, std::size_t room, std::uint32_t* flags,
                            nghttp2_data_source* source,
                            void*) -> ssize_t { return static_cast<h2_peer*>(source->ptr)->fill(stream, to, room, *flags); };
    at(id).ended = whole;
    ::nghttp2_submit_response(session_, id, list.data(), list.size(), &from);
    flush();
  }
  void send(std::int32_t id, std::string const& bytes) {
    at(id).out += bytes;
    ::nghttp2_session_resume_data(session_, id);
    flush();
  }
  void end(std::int32_t id) {
    at(id).ended = true;
    ::nghttp2_session_resume_data(session_, id);
    flush();
  }
  void reset(std::int32_t id, std::uint32_t code) {
    ::nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, code);
    flush();
  }
  void go_away(std::int32_t last, std::uint32_t code) {
    ::nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last, code, nullptr, 0);
    flush();
  }
  void freeze() noexcept { frozen_ = true; }
  void drop() {
    if (std::exchange(closed_, true)) return;
    close();
    notes_.note([&] { notes_.over[number_] = true; });
  }

protected:
  void did_read(error_code const& failed, std::size_t size) {
    if (closed_) return;
    if (failed) {
      drop();
      return;
    }
    if (frozen_) return;
    if (options_.greeting.empty() && ::nghttp2_session_mem_recv(session_, reinterpret_cast<std::uint8_t const*>(in_.data()), size) < 0) {
      drop();
      return;
    }
    flush();
    if (!closed_) read();
  }
  void did_write(error_code const& failed) {
    writing_ = false;
    out_.clear();
    if (!failed && !closed_) flush();
  }
  std::array<char, 16384> in_{};
  std::string out_;

private:
  struct stream {
    h2_request asked;
    std::string out;
    bool ended = false;
  };
  virtual void read() = 0;
  virtual void write() = 0;
  virtual void close() = 0;

  static std::string text(std::uint8_t const* data, std::size_t size) { return {reinterpret_cast<char const*>(data), size}; }
  static nghttp2_nv field(std::string_view name, std::string_view value) {  // views into both
    auto const bytes = [](std::string_view s) { return reinterpret_cast<std::uint8_t*>(const_cast<char*>(s.data())); };
    return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
  }
  stream& at(std::int32_t id) {
    stream& s = streams_[id];
    s.asked.id = h2_id{number_, id};
    return s;
  }
  ssize_t fill(std::int32_t id, std::uint8_t* to, std::size_t room, std::uint32_t& flags) {
    stream& s = at(id);
    std::size_t const n = std::min(room, s.out.size());
    std::memcpy(to, s.out.data(), n);
    s.out.erase(0, n);
    if (s.out.empty() && s.ended) flags |= NGHTTP2_DATA_FLAG_EOF;
    else if (n == 0) return NGHTTP2_ERR_DEFERRED;
    return static_cast<ssize_t>(n);
  }
  int came(nghttp2_frame const& f) {
    std::int32_t const id = f.hd.stream_id;
    switch (f.hd.type) {
      case NGHTTP2_HEADERS:
      case NGHTTP2_DATA:
        if ((f.hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
        notes_.note([&] { notes_.seen.push_back(at(id).asked); });
        ask_(at(id).asked);
        return 0;
      case NGHTTP2_RST_STREAM: notes_.note([&] { notes_.resets[h2_id{number_, id}] = f.rst_stream.error_code; }); return 0;
      case NGHTTP2_PING:
        if ((f.hd.flags & NGHTTP2_FLAG_ACK) == 0) notes_.note([&] { ++notes_.pings; });
        return 0;
      case NGHTTP2_GOAWAY:
        notes_.note([&] {
          if (has_open()) ++notes_.early_goodbyes;
          notes_.over[number_] = true;
        });
        return 0;
      default: return 0;
    }
  }
  // A stream whose reply was not ended, and that was not reset.
  bool has_open() const {
    return std::ranges::any_of(streams_,
                               [&](auto const& s) { return !s.second.ended && !notes_.resets.contains(h2_id{number_, s.first}); });
  }
  void flush() {
    if (writing_ || closed_ || frozen_) return;
    std::uint8_t const* data = nullptr;
    while (options_.greeting.empty() && out_.size() < 65536) {
      ssize_t const size = ::nghttp2_session_mem_send(session_, &data);
      if (size <= 0) break;
      out_ += text(data, static_cast<std::size_t>(size));
    }
    if (out_.empty()) return;
    writing_ = true;
    write();
  }

  std::size_t const number_;
  h2_server::options const& options_;
  h2_notes& notes_;
  std::function<void(h2_request const&)> const ask_;
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, stream> streams_;
  bool writing_ = false, closed_ = false, frozen_ = false;
};

template <class Stream> class h2_peer_over final : public h2_peer {
public:
  template <class... A> h2_peer_over(Stream s, A&&... a) : h2_peer(std::forward<A>(a)...), stream_(std::move(s)) {}
  Stream& stream() noexcept { return stream_; }

private:
  std::shared_ptr<h2_peer_over> self() { return std::static_pointer_cast<h2_peer_over>(shared_from_this()); }
  void read() override {
    stream_.async_read_some(asio::buffer(in_), [me = self()](error_code const& failed, std::size_t n) { me->did_read(failed, n); });
  }
  void write() override {
    asio::async_write(stream_, asio::buffer(out_), [me = self()](error_code const& failed, std::size_t) { me->did_write(failed); });
  }
  void close() override {
    error_code ignored;
    stream_.lowest_layer().close(ignored);
  }
  Stream stream_;
};

}  // namespace

struct h2_server::parts {
  parts(h2_server& s, function f, h2_server::options o)
      : self(s), ask(std::move(f)), given(std::move(o)), acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    if (given.secure) {
      tls.emplace(asio::ssl::context::tls_server);
      tls->use_certificate_chain(asio::buffer(given.secure->chain));
      tls->use_private_key(asio::buffer(given.secure->key), asio::ssl::context::pem);
      wanted = static_cast<char>(given.protocol.size()) + given.protocol;
      ::SSL_CTX_set_alpn_select_cb(
          tls->native_handle(),
          [](SSL*, unsigned char const** out, unsigned char* size, unsigned char const* in, unsigned in_size, void* p) {
            auto const& own = *static_cast<std::string const*>(p);
            auto const* const list = reinterpret_cast<unsigned char const*>(own.data());
            unsigned char* found = nullptr;
            bool const agreed =
                ::SSL_select_next_proto(&found, size, list, static_cast<unsigned>(own.size()), in, in_size) == OPENSSL_NPN_NEGOTIATED;
            *out = found;
            return agreed ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
          },
          &wanted);
    }
    accept();
    thread = std::thread([this] { loop.run(); });
  }
  void accept() {
    acceptor.async_accept([this](error_code const& failed, tcp::socket s) {
      if (failed) return;
      s.set_option(tcp::no_delay(true));
      std::size_t const number = peers.size();
      auto const asked = [this](h2_request const& r) { ask(self, r); };
      if (tls) {
        auto made = std::make_shared<h2_peer_over<asio::ssl::stream<tcp::socket>>>(asio::ssl::stream<tcp::socket>(std::move(s), *tls),
                                                                                   number, given, notes, asked);
        peers.push_back(made);
        made->stream().async_handshake(asio::ssl::stream_base::server, [made](error_code const& refused) {
          if (refused) made->drop();
          else made->begin();
        });
      } else {
        auto const made = std::make_shared<h2_peer_over<tcp::socket>>(std::move(s), number, given, notes, asked);
        peers.push_back(made);
        made->begin();
      }
      notes.note([&] { ++notes.connections; });
      accept();
    });
  }
  template <class F> void on(std::size_t connection, F what) {
    asio::post(loop, [this, connection, what = std::move(what)] { what(*peers.at(connection)); });
  }

  h2_server& self;
  function const ask;
  h2_server::options const given;
  std::string wanted;
  h2_notes notes;
  asio::io_context loop{1};
  std::optional<asio::ssl::context> tls;
  tcp::acceptor acceptor;
  std::vector<std::shared_ptr<h2_peer>> peers;
  std::thread thread;
};

h2_server::h2_server(function on_request) : h2_server(std::move(on_request), options()) {}
h2_server::h2_server(function on_request, options o) : parts_(std::make_unique<parts>(*this, std::move(on_request), std::move(o))) {}
h2_server::~h2_server() {
  parts_->loop.stop();
  parts_->thread.join();
}

void h2_server::head(h2_id to, unsigned status, fields headers) {
  parts_->on(to.connection, [to, status, all = std::move(headers)](h2_peer& p) { p.head(to.stream, status, all, false); });
}
void h2_server::send(h2_id to, std::string bytes) {
  parts_->on(to.connection, [to, b = std::move(bytes)](h2_peer& p) { p.send(to.stream, b); });
}
void h2_server::end(h2_id of) {
  parts_->on(of.connection, [of](h2_peer& p) { p.end(of.stream); });
}
void h2_server::answer(h2_id to, unsigned status, std::string body, fields headers) {
  head(to, status, std::move(headers));
  send(to, std::move(body));
  end(to);
}
void h2_server::reset(h2_id what, std::uint32_t code) {
  parts_->on(what.connection, [what, code](h2_peer& p) { p.reset(what.stream, code); });
}
void h2_server::go_away(std::size_t connection, std::int32_t last, std::uint32_t code) {
  parts_->on(connection, [last, code](h2_peer& p) { p.go_away(last, code); });
}
void h2_server::drop(std::size_t connection) {
  parts_->on(connection, [](h2_peer& p) { p.drop(); });
}
void h2_server::freeze(std::size_t connection) {
  parts_->on(connection, [](h2_peer& p) { p.freeze(); });
}

std::uint16_t h2_server::port() const noexcept { return parts_->acceptor.local_endpoint().port(); }
std::string h2_server::url(std::string const& path, std::string const& host) const {
  return (parts_->tls ? "https://" : "http://") + host + ':' + std::to_string(port()) + path;
}
std::size_t h2_server::connections() const {
  std::lock_guard const held(parts_->notes.lock);
  return parts_->notes.connections;
}
std::vector<h2_request> h2_server::seen() const {
  std::lock_guard const held(parts_->notes.lock);
  return parts_->notes.seen;
}
std::size_t h2_server::sent(h2_id of) const {
  std::lock_guard const held(parts_->notes.lock);
  auto const found = parts_->notes.sent.find(of);
  return found == parts_->notes.sent.end() ? 0 : found->second;
}
std::optional<std::uint32_t> h2_server::was_reset(h2_id what) const {
  std::lock_guard const held(parts_->notes.lock);
  auto const found = parts_->notes.resets.find(what);
  return found == parts_->notes.resets.end() ? std::nullopt : std::optional(found->second);
}
bool h2_server::is_over(std::size_t connection) const {
  std::lock_guard const held(parts_->notes.lock);
  return parts_->notes.over.contains(connection);
}
std::size_t h2_server::early_goodbyes() const {
  std::lock_guard const held(parts_->notes.lock);
  return parts_->notes.early_goodbyes;
}
std::size_t h2_server::pings() const {
  std::lock_guard const held(parts_->notes.lock);
  return parts_->notes.pings;
}
bool h2_server::wait(std::function<bool()> const& holds) const {
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    std::unique_lock held(parts_->notes.lock);
    if (std::chrono::steady_clock::now() > end) return false;
    parts_->notes.changed.wait_for(held, std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace weir::test
