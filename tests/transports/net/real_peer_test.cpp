// Against the HTTP server of Python's standard library, which is not ours.
#include <weir/net/http_client.hpp>
#include <weir/spawn.hpp>

#include "support/catch.hpp"
#include "support/python_server.hpp"
#include "support/skip.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>

#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using net::http_client;
using net::request;
using net::response;

namespace {

// Says what it got, by its own reading of it.
constexpr char const* echo = R"(
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = json.dumps([self.path, self.headers["X-Mine"], len(body), hashlib.sha256(body).hexdigest()]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
)";

task<std::vector<std::string>> post_all(http_client client, std::string url, std::vector<std::string> bodies) {
  std::vector<std::string> out;
  for (std::string const& body : bodies) {
    request r("POST", url, body);
    r.headers.add("X-Mine", "a, b");
    response const answer = co_await client.send(r);
    out.push_back(answer.body);
  }
  co_return out;
}

}  // namespace

TEST_CASE("a server of Python understands our requests, from several strands on several threads", "[net][http][peer]") {
  if (!test::has_python() && test::skip("needs python3")) return;
  test::python_server const server(echo);
  http_client const client({.connect_timeout = 1min, .request_timeout = 5min});
  std::string const large(300'000, 'x');
  {
    boost::asio::io_context loop;
    std::vector<std::future<std::vector<std::string>>> results;
    for (int i = 0; i != 4; ++i)
      results.push_back(
          spawn(boost::asio::make_strand(loop), post_all(client, server.url("/a%20b?c"), {"abc", "", large}), boost::asio::use_future));
    std::thread other([&] { loop.run(); });
    loop.run();
    other.join();
    for (auto& r : results) {
      // The hashes by `sha256sum`: of "abc" and of nothing as in FIPS 180-4, and of 300,000 times x.
      CHECK(r.get() == std::vector<std::string>{
                           R"(["/a%20b?c", "a, b", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"])",
                           R"(["/a%20b?c", "a, b", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"])",
                           R"(["/a%20b?c", "a, b", 300000, "29927e273accc68286005017f7fa6e4f27bddb4db3083ff8b8d4c3667905b7fa"])"});
    }
    CHECK(client.idle_connections() == 4);
  }
  CHECK(client.idle_connections() == 0);  // they do not outlive their event loop; the client does
}
