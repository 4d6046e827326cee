#include <weir/asio.hpp>
#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/net/http_client.hpp>
#include <weir/net/request.hpp>
#include <weir/net/response.hpp>
#include <command_line/event_loop.hpp>
#include <local_lambda/runtime_api.hpp>
#include <local_lambda/runtime_server.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

using namespace weir;
using boost::asio::ip::tcp;

namespace {

task<> turns_of_the_loop() {
  context& own = co_await current_context();
  for (int i = 0; i != 3; ++i) co_await boost::asio::post(own.environment().executor(), use);
}

constexpr std::string_view next = "GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: x\r\n\r\n";

task<tcp::socket> connected(std::string address) {
  context& own = co_await current_context();
  tcp::socket socket(own.environment().executor());
  auto const port = static_cast<unsigned short>(std::stoi(address.substr(address.find(':') + 1)));
  co_await socket.async_connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port), use);
  co_return socket;
}

// What the server answers to a request of which it reads each byte by itself.
task<std::string> ask_byte_by_byte(std::string address) {
  task<tcp::socket> connecting = connected(std::move(address));
  tcp::socket socket = co_await std::move(connecting);
  for (char const& byte : next) {
    co_await boost::asio::async_write(socket, boost::asio::buffer(&byte, 1), use);
    task<> until_read = turns_of_the_loop();
    co_await std::move(until_read);
  }
  std::string answer(1024, ' ');
  std::size_t const size = co_await socket.async_read_some(boost::asio::buffer(answer), use);
  answer.resize(size);
  co_return answer;
}

}  // namespace

// With the client of net in the same program: where one had Beast's bodies in itself and the other had them apart, errors were not equal to
// themselves, and the second piece of a request ended the connection.
TEST_CASE("a request that comes byte by byte is answered") {
  std::string answer;
  unsigned accepted = 0;
  auto serve = [&]() -> task<> {
    context& own = co_await current_context();
    local_lambda::runtime_api api;
    local_lambda::runtime_server server(own.environment().executor(), api);
    std::string const address = server.address();
    api.restart();
    api.invoke("the event", std::chrono::seconds(3));
    auto body = [&](async_scope& scope) -> task<> {
      scope.spawn(server.serve());
      task<std::string> asking = ask_byte_by_byte(address);
      answer = co_await std::move(asking);
      net::request done("POST", "http://" + address + "/2018-06-01/runtime/invocation/00000000-0000-4000-8000-000000000001/response");
      done.body = "the answer";
      net::http_client const client;
      task<net::response> answering = client.send(std::move(done));
      accepted = (co_await std::move(answering)).status;
      scope.cancel();
    };
    task<> all = with_scope(std::move(body));
    co_await std::move(all);
  };
  command_line::event_loop().run(serve());
  CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 200 OK\r\n") && Catch::EndsWith("\r\n\r\nthe event"));
  CHECK(accepted == 202);
}

TEST_CASE("an invocation is not handed to who has hung up") {
  std::string answer;
  auto serve = [&]() -> task<> {
    context& own = co_await current_context();
    local_lambda::runtime_api api;
    local_lambda::runtime_server server(own.environment().executor(), api);
    std::string const address = server.address();
    api.restart();
    auto body = [&](async_scope& scope) -> task<> {
      scope.spawn(server.serve());
      for (bool const stays : {false, true}) {
        task<tcp::socket> connecting = connected(address);
        tcp::socket socket = co_await std::move(connecting);
        co_await boost::asio::async_write(socket, boost::asio::buffer(next), use);
        task<> until_read = turns_of_the_loop();
        co_await std::move(until_read);
        if (!stays) continue;
        api.invoke("the event", std::chrono::seconds(3));
        server.offer();
        answer.resize(1024);
        answer.resize(co_await socket.async_read_some(boost::asio::buffer(answer), use));
      }
      scope.cancel();
    };
    task<> all = with_scope(std::move(body));
    co_await std::move(all);
  };
  command_line::event_loop().run(serve());
  CHECK_THAT(answer, Catch::EndsWith("\r\n\r\nthe event"));
}
