// The client's end of a connection, driven by bytes that nghttp2's server made.
#include <weir/net/detail/h2_keep_alive.hpp>
#include <weir/net/detail/h2_session.hpp>

#include <weir/error.hpp>

#include <nghttp2/nghttp2.h>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using net::detail::h2_failure;
using net::detail::h2_keep_alive;
using net::detail::h2_limits;
using net::detail::h2_request;
using net::detail::h2_session;

namespace {

// nghttp2's server in memory, for one test: what it is sent, and what it sends.
class memory_server {
public:
  explicit memory_server(std::uint32_t most_streams = 100) {
    nghttp2_session_callbacks* c = nullptr;
    ::nghttp2_session_callbacks_new(&c);
    ::nghttp2_session_callbacks_set_on_frame_recv_callback(c, [](nghttp2_session*, nghttp2_frame const* f, void* p) {
      auto& me = *static_cast<memory_server*>(p);
      if (f->hd.type == NGHTTP2_WINDOW_UPDATE && f->hd.stream_id != 0) me.window_updates.push_back(f->window_update.window_size_increment);
      if (f->hd.type == NGHTTP2_RST_STREAM) me.resets.push_back(f->rst_stream.error_code);
      if (f->hd.type == NGHTTP2_GOAWAY) me.goodbye = true;
      return 0;
    });
    ::nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        c, [](nghttp2_session*, std::uint8_t, std::int32_t, std::uint8_t const* data, std::size_t size, void* p) {
          static_cast<memory_server*>(p)->got.append(reinterpret_cast<char const*>(data), size);
          return 0;
        });
    ::nghttp2_session_server_new(&session, c, this);
    ::nghttp2_session_callbacks_del(c);
    nghttp2_settings_entry const most{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, most_streams};
    ::nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &most, 1);
  }
  memory_server(memory_server const&) = delete;
  memory_server& operator=(memory_server const&) = delete;
  ~memory_server() { ::nghttp2_session_del(session); }

  void receive(std::string const& bytes) {
    ::nghttp2_session_mem_recv(session, reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
  }
  std::string output() {
    std::string out;
    std::uint8_t const* data = nullptr;
    for (ssize_t n = 0; (n = ::nghttp2_session_mem_send(session, &data)) > 0;)
      out.append(reinterpret_cast<char const*>(data), static_cast<std::size_t>(n));
    return out;
  }
  // A reply whose body is `body`, with a header of this value.
  void answer(std::int32_t id, std::string_view status, std::string body, std::string const& value = "v") {
    waiting = std::move(body);
    std::vector<nghttp2_nv> const fields{field(":status", status), field("x-kind", value)};
    nghttp2_data_provider from{};
    from.read_callback = [](nghttp2_session*, std::int32_t, std::uint8_t* to, std::size_t room, std::uint32_t* flags, nghttp2_data_source*,
                            void* p) -> ssize_t {
      auto& me = *static_cast<memory_server*>(p);
      std::size_t const n = std::min(room, me.waiting.size());
      std::memcpy(to, me.waiting.data(), n);
      me.waiting.erase(0, n);
      if (me.waiting.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
      return static_cast<ssize_t>(n);
    };
    ::nghttp2_submit_response(session, id, fields.data(), fields.size(), &from);
  }

  nghttp2_session* session = nullptr;
  std::string waiting, got;
  std::vector<std::int32_t> window_updates;
  std::vector<std::uint32_t> resets;
  bool goodbye = false;

private:
  static nghttp2_nv field(std::string_view name, std::string_view value) {
    auto const bytes = [](std::string_view s) { return reinterpret_cast<std::uint8_t*>(const_cast<char*>(s.data())); };
    return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
  }
};

constexpr std::size_t smallest = 65'535;

h2_request post(std::string body) {
  h2_request r;
  r.fields = {{":method", "POST"}, {":scheme", "http"}, {":authority", "h"}, {":path", "/"}};
  r.body = std::move(body);
  return r;
}

// Lets both talk until neither has anything to say.
void settle(h2_session& client, memory_server& server) {
  for (;;) {
    std::string const asked = client.output();
    server.receive(asked);
    std::string const said = server.output();
    client.receive(said);
    if (asked.empty() && said.empty()) return;
  }
}

}  // namespace

TEST_CASE("a reply over HTTP/2 is the same wherever its bytes are cut", "[net][h2]") {
  memory_server server;
  h2_session first(h2_limits(smallest, 1'000));
  std::int32_t const id = first.open(post("question"));
  server.receive(first.output());
  CHECK(server.got == "question");
  server.answer(id, "201", "answer");
  std::string const bytes = server.output();
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    h2_session client(h2_limits(smallest, 1'000));
    REQUIRE(client.open(post("question")) == id);
    (void)client.output();
    client.receive(std::string_view(bytes).substr(0, cut));
    client.receive(std::string_view(bytes).substr(cut));
    auto const s = client.stream(id);
    CHECK(s->answered);
    CHECK(s->ended);
    CHECK(s->status == 201);
    CHECK(s->headers.find("X-Kind") == "v");
    CHECK(s->body == "answer");
    CHECK_FALSE(s->failure);
    CHECK(client.changed() == std::vector<std::int32_t>{id});
    CHECK(client.changed().empty());
  }
}

TEST_CASE("only what was taken of a body is made room for, and what others send goes on", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 1'000));
  std::int32_t const slow = client.open(post("")), quick = client.open(post(""));
  settle(client, server);
  server.answer(slow, "200", std::string(200'000, 's'));
  settle(client, server);
  auto const s = client.stream(slow);
  CHECK(s->body.size() == smallest);
  CHECK_FALSE(s->ended);
  CHECK(server.window_updates.empty());

  std::string const rest = std::exchange(server.waiting, "");
  server.answer(quick, "200", std::string(1'000, 'q'));
  settle(client, server);
  CHECK(client.stream(quick)->body.size() == 1'000);
  CHECK(client.stream(quick)->ended);

  server.waiting = rest;
  s->body.erase(0, 40'000);
  client.consume(slow, 40'000);
  settle(client, server);
  CHECK(server.window_updates == std::vector<std::int32_t>{40'000});
  CHECK(s->body.size() == smallest);
}

TEST_CASE("a request that nobody waits for any more is reset, and the others are not", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 1'000));
  std::int32_t const dropped = client.open(post("")), kept = client.open(post(""));
  settle(client, server);
  client.drop(dropped);
  CHECK(client.open_streams() == 1);
  settle(client, server);
  CHECK(server.resets == std::vector<std::uint32_t>{NGHTTP2_CANCEL});
  server.answer(kept, "200", "here");
  settle(client, server);
  CHECK(client.stream(kept)->body == "here");
  client.drop(kept);
  settle(client, server);
  CHECK(server.resets.size() == 1);
  CHECK_FALSE(server.goodbye);
  client.finish();
  settle(client, server);
  CHECK(server.goodbye);
  CHECK(client.over());
}

TEST_CASE("a request that is dropped before it was sent is never sent", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 1'000));
  client.drop(client.open(post("body")));
  settle(client, server);
  CHECK(server.got.empty());
  CHECK(client.has_room());
}

TEST_CASE("a stream that is reset fails, with what came before", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 1'000));
  std::int32_t const id = client.open(post("")), refused = client.open(post(""));
  settle(client, server);
  server.answer(id, "200", std::string(100'000, 'x'));
  settle(client, server);
  ::nghttp2_submit_rst_stream(server.session, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
  ::nghttp2_submit_rst_stream(server.session, NGHTTP2_FLAG_NONE, refused, NGHTTP2_REFUSED_STREAM);
  settle(client, server);
  auto const s = client.stream(id);
  REQUIRE(s->failure);
  CHECK(s->failure->code == errc::unavailable);
  CHECK(s->failure->why == "the stream was reset (INTERNAL_ERROR)");
  CHECK_FALSE(s->failure->unseen);
  CHECK(s->body.size() == smallest);
  REQUIRE(client.stream(refused)->failure);
  CHECK(client.stream(refused)->failure->unseen);
}

TEST_CASE("behind a GOAWAY what the server has seen goes on, and the rest may be sent again", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 1'000));
  std::int32_t const seen = client.open(post("")), unseen = client.open(post(""));
  settle(client, server);
  ::nghttp2_submit_goaway(server.session, NGHTTP2_FLAG_NONE, seen, NGHTTP2_NO_ERROR, nullptr, 0);
  settle(client, server);
  CHECK_FALSE(client.has_room());
  REQUIRE(client.stream(unseen)->failure);
  CHECK(client.stream(unseen)->failure->unseen);
  CHECK_FALSE(client.stream(seen)->failure);
  server.answer(seen, "200", "to the end");
  settle(client, server);
  CHECK(client.stream(seen)->ended);
  CHECK(client.stream(seen)->body == "to the end");
}

TEST_CASE("a header that is too large fails its request only", "[net][h2]") {
  memory_server server;
  h2_session client(h2_limits(smallest, 100));
  std::int32_t const id = client.open(post("")), other = client.open(post(""));
  settle(client, server);
  // :status 200 counts 42, x-kind and its value 38 and more: RFC 9113, section 6.5.2.
  server.answer(id, "200", "", std::string(21, 'x'));
  settle(client, server);
  REQUIRE(client.stream(id)->failure);
  CHECK(client.stream(id)->failure->code == errc::too_large);
  server.answer(other, "200", "", std::string(20, 'x'));
  settle(client, server);
  CHECK(client.stream(other)->ended);
  CHECK_FALSE(client.stream(other)->failure);
}

TEST_CASE("a server that does not speak HTTP/2 is told from one that breaks its rules", "[net][h2]") {
  std::string const settings("\0\0\0\4\0\0\0\0\0", 9);  // none, RFC 9113, section 6.5
  for (bool const begins : {false, true}) {
    h2_session client(h2_limits(smallest, 1'000));
    std::int32_t const id = client.open(post(""));
    (void)client.output();
    if (begins) client.receive(settings);
    client.receive("HTTP/1.1 400 Bad Request\r\n\r\n");
    (void)client.output();  // its goodbye
    REQUIRE(client.stream(id)->failure);
    CHECK((client.stream(id)->failure->code == errc::incompatible) != begins);
    CHECK(client.over());
    CHECK_FALSE(client.has_room());
  }
}

TEST_CASE("no more requests are begun on a connection than the server lets there be", "[net][h2]") {
  memory_server server(2);
  h2_session client(h2_limits(smallest, 1'000));
  settle(client, server);
  std::int32_t const one = client.open(post(""));
  CHECK(client.has_room());
  (void)client.open(post(""));
  CHECK_FALSE(client.has_room());
  client.drop(one);
  CHECK(client.has_room());
}

TEST_CASE("a silent server is asked, and given up when it does not answer", "[net][h2]") {
  using action = h2_keep_alive::action;
  h2_keep_alive::clock::time_point const t{};
  h2_keep_alive alive(15s, 10s, t);
  CHECK(alive.due() == t + 15s);
  CHECK(alive.next(t + 14s) == action::wait);
  alive.heard(t + 14s);
  CHECK(alive.next(t + 28s) == action::wait);
  CHECK(alive.next(t + 29s) == action::ask);
  CHECK(alive.due() == t + 39s);
  CHECK(alive.next(t + 38s) == action::wait);
  CHECK(alive.next(t + 39s) == action::give_up);
  alive.heard(t + 39s);
  CHECK(alive.next(t + 53s) == action::wait);
}
