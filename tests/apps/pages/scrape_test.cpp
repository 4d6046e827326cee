// A server of Prometheus scrapes a running application, and answers a question about its lag.
#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/net/http_client.hpp>
#include <weir/net/request.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/status/server.hpp>
#include <weir/testing/script.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/keeping_in.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;

namespace {

std::string free_port() {
  boost::asio::io_context loop;
  boost::asio::ip::tcp::acceptor const held(loop, {boost::asio::ip::address_v4::loopback(), 0});
  return std::to_string(held.local_endpoint().port());
}

// What the server says to a query, when it knows something: it has to start, and to scrape.
task<std::string> answer_to(std::string url) {
  net::http_client const client;
  for (;;) {
    try {
      task<net::response> asking = client.send(net::request("GET", url));
      net::response const got = co_await std::move(asking);
      std::string const& body = got.body;
      if (got.status == 200 && body.find(R"("result":[])") == body.npos) co_return body;
    } catch (error const& e) {
      if (e.code() == condition::cancelled) throw;
    }
    co_await sleep_for(100ms);
  }
}

}  // namespace

TEST_CASE("Prometheus scrapes an application, and answers a query for lag", "[host][status]") {
  if (!std::filesystem::exists("/usr/bin/prometheus") && test::skip("no prometheus (Debian's package)")) return;
  status::options any_port;
  any_port.port = 0;
  auto const page = std::make_shared<status::server>(any_port);
  settings s = test::keeping_in(nullptr);
  s.status = page;
  application app(std::move(s));
  app.use_memory_stream(testing::script<int>().element(1).wait(1h), [&](auto& pipeline) {
    pipeline.use_stream([](stream<int> in, cancellation) -> task<> {
      while (co_await in.next()) {}
    });
  });
  std::thread running([&] { app.run(); });
  test::temporary_folder const folder;
  folder.write("p.yml", "scrape_configs:\n- job_name: weir\n  scrape_interval: 1s\n  static_configs:\n  - targets: ['127.0.0.1:" +
                            std::to_string(page->port()) + "']\n");
  std::string const port = free_port();
  auto const server = test::logged_program(
      folder.path(), {"/usr/bin/prometheus", "--config.file=p.yml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:" + port},
      folder.file("log"));
  std::string answer;
  try {
    boost::asio::io_context loop;
    task<std::string> asking = answer_to("http://127.0.0.1:" + port + "/api/v1/query?query=weir_lag_records");
    auto done = spawn(loop, with_timeout(60s, std::move(asking)), boost::asio::use_future);
    loop.run();
    answer = done.get();
  } catch (std::exception const& e) {
    answer = e.what() + folder.read("log");
  }
  app.stop();
  running.join();
  INFO(answer);
  CHECK(answer.find(R"("__name__":"weir_lag_records")") != std::string::npos);
  CHECK(answer.find(R"("partition":"0")") != std::string::npos);
  CHECK(answer.find(R"("job":"weir")") != std::string::npos);
}
