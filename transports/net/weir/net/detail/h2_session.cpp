#include <weir/net/detail/h2_session.hpp>

#include <weir/error.hpp>

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <utility>

namespace weir::net::detail {
namespace {

// All bodies of a connection may be on their way at once; each has a window of its own.
constexpr std::int32_t connection_window = 1 << 30;
constexpr std::size_t most_output = std::size_t{64} * 1024;
constexpr std::size_t per_field = 32;  // what a field counts beside its text: RFC 9113, section 6.5.2
constexpr std::uint32_t streams_before_settings = 100;

void check(long result) {
  if (result == NGHTTP2_ERR_NOMEM) throw std::bad_alloc();
  if (result < 0) throw error(errc::misuse, "http: HTTP/2 failed", ::nghttp2_strerror(static_cast<int>(result)));
}

std::string_view text(std::uint8_t const* data, std::size_t size) noexcept { return {reinterpret_cast<char const*>(data), size}; }
std::uint8_t* bytes(std::string const& s) noexcept { return reinterpret_cast<std::uint8_t*>(const_cast<char*>(s.data())); }

}  // namespace

// Called by nghttp2, from within nghttp2_session_mem_recv and mem_send.
struct h2_callbacks {
  static h2_session& self(void* p) noexcept { return *static_cast<h2_session*>(p); }

  static ssize_t read_body(nghttp2_session* /*session*/, std::int32_t id, std::uint8_t* to, std::size_t room, std::uint32_t* flags,
                           nghttp2_data_source* /*from*/, void* p) {
    h2_stream* const s = self(p).find(id);
    if (!s) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // dropped: it is reset
    std::size_t const n = std::min(room, s->sending.size() - s->sent);
    std::copy_n(s->sending.data() + s->sent, n, to);
    s->sent += n;
    if (s->sent == s->sending.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(n);
  }

  static int header(nghttp2_session* session, nghttp2_frame const* frame, std::uint8_t const* name, std::size_t name_size,
                    std::uint8_t const* value, std::size_t value_size, std::uint8_t /*flags*/, void* p) {
    std::int32_t const id = frame->hd.stream_id;
    h2_stream* const s = self(p).find(id);
    if (!s || s->answered || s->failure) return 0;  // trailers are left out
    s->header_size += name_size + value_size + per_field;
    if (s->header_size > self(p).limits_.most_header) {
      self(p).fail(id, h2_failure(errc::too_large, "its header is larger than allowed; raise most_header"));
      ::nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
      return 0;
    }
    std::string_view const key = text(name, name_size), what = text(value, value_size);
    if (key == ":status") std::from_chars(what.data(), what.data() + what.size(), s->status);
    else if (!key.starts_with(':')) s->headers.add(std::string(key), std::string(what));  // nghttp2 has verified both
    return 0;
  }

  static int frame(nghttp2_session* /*session*/, nghttp2_frame const* frame, void* p) {
    h2_session& me = self(p);
    std::int32_t const id = frame->hd.stream_id;
    bool const last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    switch (frame->hd.type) {
      case NGHTTP2_HEADERS:
      case NGHTTP2_DATA: {
        h2_stream* const s = me.find(id);
        if (!s || s->failure) return 0;
        if (frame->hd.type == NGHTTP2_HEADERS && !s->answered) {
          if (s->status >= 200) {
            s->answered = true;
          } else {  // an interim reply: RFC 9110, section 15.2
            s->status = 0;
            s->headers = headers();
          }
        }
        s->ended = s->ended || last;
        me.changed_.push_back(id);
        return 0;
      }
      case NGHTTP2_SETTINGS: me.greeted_ = true; return 0;
      case NGHTTP2_GOAWAY: me.leaving_ = true; return 0;
      case NGHTTP2_PING:
        if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) ++me.pongs_;
        return 0;
      default: return 0;
    }
  }

  static int data(nghttp2_session* session, std::uint8_t /*flags*/, std::int32_t id, std::uint8_t const* data, std::size_t size, void* p) {
    ::nghttp2_session_consume_connection(session, size);
    h2_stream* const s = self(p).find(id);
    if (!s || s->failure) return 0;
    s->body.append(text(data, size));
    self(p).changed_.push_back(id);
    return 0;
  }

  static int closed(nghttp2_session* /*session*/, std::int32_t id, std::uint32_t code, void* p) {
    h2_stream const* const s = self(p).find(id);
    if (!s || s->failure || s->ended) return 0;
    if (!self(p).rule_.empty()) {  // nghttp2 gives up what was not sent yet
      self(p).fail(id, self(p).fault());
    } else if (code == NGHTTP2_REFUSED_STREAM) {
      self(p).fail(id, h2_failure(errc::unavailable, "the server takes no request on this connection now (REFUSED_STREAM)", true));
    } else if (code == NGHTTP2_NO_ERROR) {
      self(p).fail(id, h2_failure(errc::unavailable, "the server ended it before the whole reply"));
    } else {
      self(p).fail(id, h2_failure(errc::unavailable, std::string("the stream was reset (") + ::nghttp2_http2_strerror(code) + ')'));
    }
    return 0;
  }

  static int rule(nghttp2_session* /*session*/, int /*code*/, char const* text, std::size_t size, void* p) {
    self(p).rule_.assign(text, size);
    return 0;
  }
};

void h2_session::session_deleter::operator()(nghttp2_session* s) const noexcept { ::nghttp2_session_del(s); }

h2_session::h2_session(h2_limits limits) : limits_(limits) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* options = nullptr;
  check(::nghttp2_session_callbacks_new(&callbacks));
  std::unique_ptr<nghttp2_session_callbacks, decltype(&::nghttp2_session_callbacks_del)> const held(callbacks,
                                                                                                    &::nghttp2_session_callbacks_del);
  check(::nghttp2_option_new(&options));
  std::unique_ptr<nghttp2_option, decltype(&::nghttp2_option_del)> const held_too(options, &::nghttp2_option_del);
  ::nghttp2_session_callbacks_set_on_header_callback(callbacks, &h2_callbacks::header);
  ::nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &h2_callbacks::frame);
  ::nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &h2_callbacks::data);
  ::nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &h2_callbacks::closed);
  ::nghttp2_session_callbacks_set_error_callback2(callbacks, &h2_callbacks::rule);
  ::nghttp2_option_set_no_auto_window_update(options, 1);
  ::nghttp2_option_set_peer_max_concurrent_streams(options, streams_before_settings);
  nghttp2_session* made = nullptr;
  check(::nghttp2_session_client_new2(&made, callbacks, this, options));
  session_.reset(made);
  std::array<nghttp2_settings_entry, 3> const settings{{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(limits_.window)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(limits_.most_header)},
  }};
  check(::nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, settings.data(), settings.size()));
  check(::nghttp2_session_set_local_window_size(made, NGHTTP2_FLAG_NONE, 0, connection_window));
}

h2_session::~h2_session() = default;

std::int32_t h2_session::open(h2_request r) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(r.fields.size());
  for (auto const& [name, value] : r.fields) fields.push_back({bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  auto const made = std::make_shared<h2_stream>(std::move(r.body));
  nghttp2_data_provider body{};
  body.read_callback = &h2_callbacks::read_body;
  std::int32_t const id =
      ::nghttp2_submit_request(session_.get(), nullptr, fields.data(), fields.size(), made->sending.empty() ? nullptr : &body, nullptr);
  check(id);
  streams_.emplace(id, made);
  return id;
}

std::shared_ptr<h2_stream> h2_session::stream(std::int32_t id) const { return streams_.at(id); }

h2_stream* h2_session::find(std::int32_t id) const {
  auto const found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second.get();
}

void h2_session::fail(std::int32_t id, h2_failure why) {
  find(id)->failure = std::move(why);
  changed_.push_back(id);
}

void h2_session::consume(std::int32_t id, std::size_t bytes) {
  if (!broken_) ::nghttp2_session_consume_stream(session_.get(), id, bytes);  // of one that is closed: nothing is to be done
}

void h2_session::drop(std::int32_t id) {
  h2_stream* const s = find(id);
  if (!s) return;
  bool const under_way = !s->failure && (!s->ended || s->sent != s->sending.size());
  if (under_way && !broken_) ::nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  streams_.erase(id);
}

void h2_session::finish() {
  leaving_ = true;
  if (!broken_) ::nghttp2_session_terminate_session(session_.get(), NGHTTP2_NO_ERROR);
}

void h2_session::ping() { check(::nghttp2_submit_ping(session_.get(), NGHTTP2_FLAG_NONE, nullptr)); }

void h2_session::receive(std::string_view bytes) {
  if (broken_) return;
  rule_.clear();
  ssize_t const taken = ::nghttp2_session_mem_recv(session_.get(), reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
  if (taken == NGHTTP2_ERR_NOMEM) throw std::bad_alloc();
  if (taken < 0 && rule_.empty()) rule_ = ::nghttp2_strerror(static_cast<int>(taken));
  if (taken < 0) lose(fault());
}

h2_failure h2_session::fault() const {
  if (rule_.empty()) return h2_failure(errc::unavailable, "the server ended the connection");
  if (!greeted_) return h2_failure(errc::incompatible, "the server does not speak HTTP/2 there: " + rule_);
  return h2_failure(errc::malformed, "the server breaks a rule of HTTP/2: " + rule_);
}

std::string h2_session::output() {
  std::string out;
  while (out.size() < most_output) {
    std::uint8_t const* data = nullptr;
    ssize_t const size = ::nghttp2_session_mem_send(session_.get(), &data);
    check(size);
    if (size == 0) break;
    out.append(text(data, static_cast<std::size_t>(size)));
  }
  // When the server has broken a rule, nghttp2 says goodbye, and reads no more from then on.
  if (!broken_ && !streams_.empty() && ::nghttp2_session_want_read(session_.get()) == 0) lose(fault());
  return out;
}

void h2_session::lose(h2_failure const& why) {
  broken_ = leaving_ = true;
  for (auto const& [id, s] : streams_)
    if (!s->failure && !s->ended) fail(id, why);
}

std::vector<std::int32_t> h2_session::changed() {
  std::ranges::sort(changed_);
  auto const same = std::ranges::unique(changed_);
  changed_.erase(same.begin(), same.end());
  return std::exchange(changed_, {});
}

bool h2_session::has_room() const {
  if (leaving_ || broken_ || ::nghttp2_session_check_request_allowed(session_.get()) == 0) return false;
  return streams_.size() < ::nghttp2_session_get_remote_settings(session_.get(), NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
}

bool h2_session::over() const {
  return broken_ || (::nghttp2_session_want_read(session_.get()) == 0 && ::nghttp2_session_want_write(session_.get()) == 0);
}

}  // namespace weir::net::detail
