#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/sleep.hpp>
#include <weir/status/server.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using testing::script;

namespace {

status::options any_port() {
  status::options o;
  o.port = 0;
  return o;
}

// A connection by hand.
class visitor {
public:
  explicit visitor(std::uint16_t port) : socket_(loop_) { socket_.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port)); }
  void send(std::string const& bytes) {
    boost::system::error_code closed;
    boost::asio::write(socket_, boost::asio::buffer(bytes), closed);
  }
  // Until it is closed.
  std::string rest() {
    std::string out;
    boost::system::error_code closed;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(out), closed);
    return out;
  }

  // Until these words have come so often.
  std::string until(std::string const& words, int times) {
    std::string out, left;
    for (; times != 0; --times) {
      std::size_t const size = boost::asio::read_until(socket_, boost::asio::dynamic_buffer(left), words);
      out += left.substr(0, size);
      left.erase(0, size);
    }
    return out + left;
  }

private:
  boost::asio::io_context loop_;
  tcp::socket socket_;
};
std::string get(std::uint16_t port, std::string const& path) {
  visitor v(port);
  v.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return v.rest();
}

// An application that has handled one element and waits for more until `look` has returned.
void while_it_runs(std::shared_ptr<status::server> const& page, std::function<void(application&)> const& look) {
  settings s = keeping_in(nullptr);
  s.status = page;
  application app(std::move(s));
  std::promise<void> handled;
  app.use_memory_stream(script<int>().element(1).wait(1h), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> in, cancellation) -> task<> {
      co_await in.next();
      handled.set_value();
      co_await in.next();
    });
  });
  int ended = -1;
  std::thread running([&] { ended = app.run(); });
  handled.get_future().wait();
  try {
    look(app);
  } catch (...) {
    app.stop();
    running.join();
    throw;
  }
  app.stop();
  running.join();
  CHECK(ended == 0);
}

}  // namespace

TEST_CASE("a running application is shown over HTTP, and its figures are the server's", "[host][status]") {
  auto const page = std::make_shared<status::server>(any_port());
  while_it_runs(page, [&](application&) {
    CHECK(get(page->port(), "/readyz").find("HTTP/1.1 200 OK\r\n") == 0);
    std::string const pipeline = get(page->port(), "/pipeline");
    INFO(pipeline);
    CHECK(pipeline.find("\r\nContent-Type: application/json\r\n") != std::string::npos);
    CHECK(pipeline.find(R"("name":"memory","source":"memory")") != std::string::npos);
    CHECK(get(page->port(), "/explain").find("partition 0: reading") != std::string::npos);
    CHECK(get(page->port(), "/etc/passwd").find("HTTP/1.1 404 Not Found\r\n") == 0);
  });
  CHECK(page->figures().text().find(R"(weir_records_total{pipeline="memory",stream="memory",partition="0"} 1)") != std::string::npos);
}

TEST_CASE("who listens to events gets the pipeline again and again, until it is over", "[host][status]") {
  auto const page = std::make_shared<status::server>(any_port());
  std::string all;
  std::thread listening;
  while_it_runs(page, [&](application&) {
    std::promise<void> some;
    listening = std::thread([&, port = page->port()] {
      visitor v(port);
      v.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      all = v.until("data: ", 3);
      some.set_value();
      all += v.rest();
    });
    some.get_future().wait();
  });
  listening.join();
  CHECK(all.find("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n") == 0);
  CHECK(all.find("Content-Length") == std::string::npos);
  CHECK(all.find("\r\n\r\ndata: {\"application\":") != std::string::npos);
  CHECK(all.find("}\n\ndata: {") != std::string::npos);
}

TEST_CASE("several requests go over one connection; HEAD has the head alone", "[host][status]") {
  auto const page = std::make_shared<status::server>(any_port());
  while_it_runs(page, [&](application&) {
    visitor v(page->port());
    v.send(
        "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPOST / HTTP/1.1\r\nHost: "
        "localhost\r\nConnection: close\r\n\r\n");
    std::string const all = v.rest();
    INFO(all);
    std::size_t const second = all.find("HTTP/1.1 200 OK", 1), third = all.find("HTTP/1.1 405 Method Not Allowed");
    REQUIRE(second != std::string::npos);
    REQUIRE(third != std::string::npos);
    CHECK(all.substr(second - 4, 4) == "\r\n\r\n");
    CHECK(all.substr(third - 7, 7) == "\r\n\r\nok\n");
    CHECK(all.find("\r\nAllow: GET, HEAD\r\n") != std::string::npos);
  });
}

TEST_CASE("heads that are too large, no HTTP, or never whole are refused in time", "[host][status]") {
  status::options o = any_port();
  o.request_timeout = 50ms;
  o.head_size = 1024;
  auto const page = std::make_shared<status::server>(o);
  while_it_runs(page, [&](application&) {
    visitor large(page->port()), other(page->port()), slow(page->port()), silent(page->port());
    large.send("GET /healthz HTTP/1.1\r\nX: " + std::string(2000, 'x') + "\r\n\r\n");
    other.send("\x16\x03\x01 hello\r\n\r\n");
    slow.send("GET /healthz HTTP/1.1\r\nHost:");
    CHECK(large.rest().find("HTTP/1.1 431 ") == 0);
    CHECK(other.rest().find("HTTP/1.1 400 ") == 0);
    CHECK(slow.rest().find("HTTP/1.1 408 ") == 0);
    CHECK(silent.rest().empty());
    CHECK(get(page->port(), "/healthz").find("HTTP/1.1 200 OK\r\n") == 0);
  });
}

TEST_CASE("when all connections are taken, others are refused, but for probes, and when some have gone there is room", "[host][status]") {
  status::options o = any_port();
  o.connections = 2;
  auto const page = std::make_shared<status::server>(o);
  while_it_runs(page, [&](application&) {
    auto const stay = [&] {
      auto out = std::make_unique<visitor>(page->port());
      out->send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      CHECK(out->until("\r\n\r\n", 1).find("HTTP/1.1 200 OK\r\n") == 0);
      return out;
    };
    {
      auto const a = stay(), b = stay();
      CHECK(get(page->port(), "/pipeline").find("HTTP/1.1 503 Service Unavailable\r\n") == 0);
      CHECK(get(page->port(), "/healthz?all").find("HTTP/1.1 200 OK\r\n") == 0);
      std::vector<std::unique_ptr<visitor>> silent;
      for (int i = 0; i != 8; ++i) silent.push_back(std::make_unique<visitor>(page->port()));
      CHECK(visitor(page->port()).rest().empty());  // beyond the places for probes
    }
    std::string answer;
    for (int tries = 0; tries != 1'000 && answer.find("HTTP/1.1 200 OK\r\n") != 0; ++tries) answer = get(page->port(), "/pipeline");
    CHECK(answer.find("HTTP/1.1 200 OK\r\n") == 0);
  });
}

TEST_CASE("where it cannot listen, or nobody could look, it says so at once", "[host][status]") {
  status::server const first(any_port());
  status::options o = any_port();
  o.port = first.port();
  try {
    status::server const second(o);
    FAIL("both listen");
  } catch (error const& e) {
    CHECK(e.code() == std::errc::address_in_use);
    CHECK(std::string(e.what()).find("status: cannot listen at 127.0.0.1:" + std::to_string(first.port())) == 0);
  }
  o = any_port();
  o.address = "nowhere";
  fails_with(errc::invalid_option, [&] { status::server const s(o); }, "status: cannot be shown", "nowhere");
  o = any_port();
  o.connections = 0;
  fails_with(errc::invalid_option, [&] { status::server const s(o); }, "connections is 0");
}

TEST_CASE("a handler that keeps the thread is seen while it does", "[host][status]") {
  auto const page = std::make_shared<status::server>(any_port());
  settings s = keeping_in(nullptr);
  s.status = page;
  s.stall_after = 1ms;
  application app(std::move(s));
  std::string health;
  app.use_memory_stream(script<int>().element(1), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> in, cancellation) -> task<> {
      while (co_await in.next())
        for (int tries = 0; tries != 10'000 && health.find("stalled") == std::string::npos; ++tries) health = get(page->port(), "/healthz");
    });
  });
  CHECK(app.run() == 0);
  INFO(health);
  CHECK(health.find("HTTP/1.1 503 Service Unavailable\r\n") == 0);
  CHECK(health.find("stalled: pipeline memory, partition 0: handling for") != std::string::npos);
}

TEST_CASE("a server is shown again when its application runs again", "[host][status]") {
  auto const page = std::make_shared<status::server>(any_port());
  for (int run = 0; run != 3; ++run)
    while_it_runs(page, [&](application&) { CHECK(get(page->port(), "/readyz").find("HTTP/1.1 200 OK\r\n") == 0); });
}
