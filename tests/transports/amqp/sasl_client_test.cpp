#include <weir/amqp/sasl_client.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/amqp/hex.hpp"
#include "transports/amqp/wire_capture.hpp"

#include <string>
#include <string_view>

using namespace weir;
using amqp::sasl_progress;
using test::bytes_of;
using test::hex_of;

namespace {

std::string const header = bytes_of("414d515003010000");
// sasl-mechanisms with ANONYMOUS, MSSBCBS and PLAIN, and sasl-outcome with ok, as a broker wrote them.
std::string const mechanisms =
    bytes_of("0000003602010000005340d00000002600000001f00000001d00000003a309414e4f4e594d4f5553074d53534243425305504c41494e");
std::string const accepted = bytes_of("0000001602010000005344d000000006000000015000");

amqp::sasl_options with(std::string mechanism, std::string user = {}, std::string password = {}) {
  amqp::sasl_options out;
  out.mechanism = std::move(mechanism);
  out.user = std::move(user);
  out.password = std::move(password);
  out.hostname = "h";
  return out;
}

}  // namespace

TEST_CASE("a client gets through SASL, whatever pieces the bytes come in", "[amqp]") {
  std::string const all = header + mechanisms + accepted + "AMQP";
  for (std::size_t split = 0; split <= all.size(); ++split) {
    amqp::sasl_client client(with("PLAIN", "me", "secret"));
    CHECK(client.output() == header);
    client.sent(8);
    client.feed(std::string_view(all).substr(0, split));
    CHECK(client.feed(std::string_view(all).substr(split)) == sasl_progress::done);
    CHECK(client.left() == "AMQP");
    CHECK(client.offered() == "ANONYMOUS, MSSBCBS, PLAIN");
    // RFC 4616: nothing, user and password, each behind a null.
    CHECK(hex_of(client.output()) ==
          "0000002402010000005341c01703"
          "a305504c41494e"
          "a00a006d6500736563726574"
          "a10168");
  }
}

TEST_CASE("a server that does not let the client in says so", "[amqp]") {
  amqp::sasl_client client(with("EXTERNAL"));
  CHECK(client.feed(header + mechanisms) == sasl_progress::refused);
  CHECK_FALSE(client.outcome());
  CHECK(client.offered() == "ANONYMOUS, MSSBCBS, PLAIN");
  amqp::sasl_client denied(with("PLAIN", "me", "wrong"));
  CHECK(denied.feed(header + mechanisms + bytes_of("0000001002010000005344c003015001")) == sasl_progress::refused);
  CHECK(denied.outcome() == amqp::sasl_code::auth);
  CHECK(denied.left().empty());
  amqp::sasl_client single(with("PLAIN"));  // one symbol in place of an array
  CHECK(single.feed(header + bytes_of("0000001502010000005340c00801a305504c41494e")) == sasl_progress::under_way);
}

TEST_CASE("what is no SASL is found out", "[amqp]") {
  auto const fault = [](std::string const& bytes) {
    amqp::sasl_client client(with("ANONYMOUS"));
    CHECK(client.feed(bytes) == sasl_progress::broken);
    return client.fault();
  };
  CHECK(fault(bytes_of("414d515000010000")) == amqp::errc::wrong_protocol);
  CHECK(fault("HTTP") == amqp::errc::wrong_protocol);
  CHECK(fault(header + accepted) == amqp::errc::out_of_order);  // before any mechanism
  CHECK(fault(header + mechanisms + mechanisms) == amqp::errc::out_of_order);
  CHECK(fault(header + bytes_of("00000201")) == amqp::errc::frame_too_large);
  CHECK(fault(header + bytes_of("0000000802000000")) == amqp::errc::unknown_body);
  CHECK(fault(header + mechanisms + bytes_of("0000001002010000005344c003015005")) == amqp::errc::wrong_type);  // no such outcome
}

TEST_CASE("a captured client's SASL is written byte for byte, but for the shorter lists", "[amqp]") {
  auto const frames = test::wire_capture();
  if (frames.empty() && test::skip("needs the captures of Event Hubs")) return;
  amqp::sasl_options options = with("ANONYMOUS", std::string(1, '\0') + "RootManageSharedAccessKey");
  options.hostname = "localhost";
  amqp::sasl_client client(options);
  client.sent(8);
  client.feed(header + mechanisms);
  std::string const captured = hex_of(frames.at(3).second);
  CHECK(frames.at(3).first);
  CHECK(captured.substr(16, 6) == "005341");
  CHECK(hex_of(client.output()).substr(28) == captured.substr(40));  // behind the head of the list: all its fields
}
