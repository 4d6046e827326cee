#include <weir/amqp/connection.hpp>
#include <weir/amqp/frame.hpp>

#include "support/catch.hpp"
#include "transports/amqp/hex.hpp"
#include "transports/amqp/two_ends.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::two_ends;

namespace {

// At the server, while the client takes in what that says of its window.
amqp::message_arrived next_message(two_ends& ends) {
  for (int i = 0; i != 100; ++i) {
    if (auto const event = ends.server.next()) return std::get<amqp::message_arrived>(*event);
    ends.to_server();
    ends.to_client();
    CHECK_FALSE(ends.client.next());
  }
  FAIL("no message comes");
  return {};
}

}  // namespace

TEST_CASE("messages go from a sender to a receiver, whatever pieces the bytes come in", "[amqp]") {
  for (std::size_t const piece : {0U, 1U, 2U, 3U, 5U, 7U, 8U, 9U, 11U, 64U}) {
    CAPTURE(piece);
    two_ends ends(piece);
    auto const [out, in] = ends.attach(ends.open(), amqp::role::sender);
    CHECK_FALSE(ends.client.send(out, "t", "no credit"));
    ends.server.grant(in, 2);
    CHECK(ends.at_client<amqp::credit_changed>().link == out);
    CHECK(ends.client.credit(out) == 2);
    auto const first = ends.client.send(out, "a", "one", 0x80013700);
    auto const second = ends.client.send(out, "b", "two", 0, true);
    REQUIRE((first && second));
    CHECK(ends.client.credit(out) == 0);
    CHECK_FALSE(ends.client.send(out, "c", "three"));
    {
      auto const got = ends.at_server<amqp::message_arrived>();
      CHECK(got.link == in);
      CHECK(got.bytes == "one");
      CHECK(got.tag == "a");
      CHECK(got.format == 0x80013700);
      CHECK_FALSE(got.settled);
      ends.server.settle(in, got.delivery_id, got.delivery_id, amqp::outcome::accepted);
    }
    {
      auto const got = ends.at_server<amqp::message_arrived>();
      CHECK(got.bytes == "two");
      CHECK(got.settled);
    }
    auto const settled = ends.at_client<amqp::delivery_settled>();
    CHECK(settled.delivery_id == *first);
    CHECK(settled.link == out);
    CHECK(settled.state.outcome == amqp::outcome::accepted);
    CHECK(ends.quiet());
    CHECK(ends.server.credit(in) == 0);
  }
}

TEST_CASE("a message larger than a frame goes in several and comes as one", "[amqp]") {
  auto options = two_ends::named("server");
  options.max_frame_size = 512;
  two_ends ends(0, two_ends::named("client"), options);
  auto const session = ends.open();
  auto const [out, in] = ends.attach(session, amqp::role::sender, "large");
  auto const [other_out, other_in] = ends.attach(session, amqp::role::sender, "small");
  ends.server.grant(in, 8);
  ends.server.grant(other_in, 8);
  ends.at_client<amqp::credit_changed>();
  ends.at_client<amqp::credit_changed>();
  for (std::size_t const size : {0U, 1U, 447U, 448U, 449U, 470U, 511U, 512U, 5000U, 1000000U}) {
    std::string const body(size, static_cast<char>('a' + size % 26));
    ends.server.grant(in, 1);
    REQUIRE((ends.at_client<amqp::credit_changed>(), ends.client.send(out, "tag", body)));
    // What is sent goes in frames of at most 512 bytes.
    auto const bytes = std::string(ends.client.output());
    for (std::string_view left = bytes; !left.empty();) REQUIRE(amqp::take_frame(left, 512)->has_value());
    auto const got = ends.at_server<amqp::message_arrived>();
    CHECK(got.bytes.size() == size);
    CHECK(got.bytes == body);
  }
}

TEST_CASE("what does not fit the window of the session waits, in order", "[amqp]") {
  auto options = two_ends::named("server");
  options.max_frame_size = 512;
  options.incoming_window = 3;
  two_ends ends(0, two_ends::named("client"), options);
  auto const session = ends.open();
  auto const [out, in] = ends.attach(session, amqp::role::sender);
  ends.server.grant(in, 100);
  ends.at_client<amqp::credit_changed>();
  for (int i = 0; i != 5; ++i) REQUIRE(ends.client.send(out, "t", std::string(1000, static_cast<char>('a' + i))));
  CHECK(ends.client.waiting(session) == 4);  // three frames are a message and a bit
  for (int i = 0; i != 5; ++i) CHECK(next_message(ends).bytes == std::string(1000, static_cast<char>('a' + i)));
  CHECK(ends.client.waiting(session) == 0);
  CHECK(ends.quiet());
}

// The window of the session is kept open without being asked (qpid-proton PROTON-2790, rhea #452).
TEST_CASE("more messages than the window come through while none is settled", "[amqp]") {
  auto options = two_ends::named("server");
  options.incoming_window = 10;
  two_ends ends(0, two_ends::named("client"), options);
  auto const [out, in] = ends.attach(ends.open(), amqp::role::sender);
  ends.server.grant(in, 3000);
  ends.at_client<amqp::credit_changed>();
  for (int i = 0; i != 3000; ++i) {
    REQUIRE(ends.client.send(out, "t", std::to_string(i)));
    CHECK(next_message(ends).bytes == std::to_string(i));
  }
  ends.server.settle(in, 0, 2999, amqp::outcome::accepted);  // one disposition for all
  for (std::uint32_t i = 0; i != 3000; ++i) REQUIRE(ends.at_client<amqp::delivery_settled>().delivery_id == i);
  CHECK(ends.quiet());
}

TEST_CASE("a range settles what is in it and open, each once", "[amqp]") {
  two_ends ends;
  auto const session = ends.open();
  auto const [out, in] = ends.attach(session, amqp::role::sender);
  ends.server.grant(in, 100);
  ends.at_client<amqp::credit_changed>();
  for (int i = 0; i != 6; ++i) ends.client.send(out, "t", "m", 0, i % 2 == 0);  // 1, 3 and 5 wait to hear
  for (int i = 0; i != 6; ++i) ends.at_server<amqp::message_arrived>();
  ends.server.reject(in, 3, 3, "com.microsoft:server-busy", "wait 4 seconds");
  {
    auto const settled = ends.at_client<amqp::delivery_settled>();
    CHECK(settled.delivery_id == 3);
    CHECK(settled.state.outcome == amqp::outcome::rejected);
    CHECK(settled.state.why.condition.text == "com.microsoft:server-busy");
    CHECK(settled.state.why.description == "wait 4 seconds");
  }
  ends.server.settle(in, 0, 5, amqp::outcome::released);
  CHECK(ends.at_client<amqp::delivery_settled>().delivery_id == 1);
  auto const last = ends.at_client<amqp::delivery_settled>();
  CHECK(last.delivery_id == 5);
  CHECK(last.state.outcome == amqp::outcome::released);
  ends.server.settle(in, 0, 5, amqp::outcome::accepted);  // all of it is known
  CHECK(ends.quiet());
}

TEST_CASE("credit that is drained comes back", "[amqp]") {
  two_ends ends;
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  ends.client.drain(in, 10);
  auto const asked = ends.at_server<amqp::credit_changed>();
  CHECK(asked.drain);
  CHECK(ends.server.credit(out) == 10);
  ends.server.send(out, "t", "all there is");
  ends.server.drained(out);
  CHECK(ends.at_client<amqp::message_arrived>().bytes == "all there is");
  CHECK(ends.at_client<amqp::link_drained>().link == in);
  CHECK(ends.client.credit(in) == 0);
  CHECK(ends.server.credit(out) == 0);
  ends.client.grant(in, 3);  // counts from there
  ends.at_server<amqp::credit_changed>();
  CHECK(ends.server.credit(out) == 3);
}

// azure-sdk-for-js #39452: credit that grew with each call. Here it is what was granted last, however often.
TEST_CASE("granting again does not add up", "[amqp]") {
  two_ends ends;
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  for (int i = 0; i != 1000; ++i) ends.client.grant(in, 20);
  CHECK_FALSE(ends.quiet());
  while (!ends.quiet()) {}
  CHECK(ends.server.credit(out) == 20);
  // Credit is taken back while messages for it are under way: those come, no more do.
  for (int i = 0; i != 20; ++i) ends.server.send(out, "t", "m");
  ends.client.grant(in, 0);
  for (int i = 0; i != 20; ++i) ends.at_client<amqp::message_arrived>();
  CHECK(ends.client.credit(in) == 0);
}

// 2.5.6 and 2.6.7: both are of 32 bits, without a sign.
TEST_CASE("the largest window and the largest credit are as good as none", "[amqp]") {
  auto options = two_ends::named("server");
  options.incoming_window = 0xffffffff;
  two_ends ends(0, two_ends::named("client"), options);
  auto const [out, in] = ends.attach(ends.open(), amqp::role::sender);
  for (int i = 0; i != 3; ++i) {
    ends.server.grant(in, 0xffffffff);  // with the window, again
    ends.at_client<amqp::credit_changed>();
    CHECK(ends.client.credit(out) == 0xffffffff);
    REQUIRE(ends.client.send(out, "t", "m"));
    CHECK(ends.at_server<amqp::message_arrived>().bytes == "m");
  }
}

TEST_CASE("credit that was taken back and given again in part is not exceeded by what was under way", "[amqp]") {
  two_ends ends;
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  ends.client.grant(in, 10);
  ends.at_server<amqp::credit_changed>();
  for (int i = 0; i != 10; ++i) ends.server.send(out, "t", "m");
  ends.client.grant(in, 0);
  ends.client.grant(in, 5);
  for (int i = 0; i != 10; ++i) ends.at_client<amqp::message_arrived>();
}

TEST_CASE("behind its own close a side says nothing more", "[amqp]") {
  auto options = two_ends::named("client");
  options.incoming_window = 4;
  two_ends ends(0, options);
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  ends.client.grant(in, 10);
  ends.at_server<amqp::credit_changed>();
  ends.client.close();
  ends.client.sent(ends.client.output().size());
  for (int i = 0; i != 4; ++i) ends.server.send(out, "t", "m");  // its window is half used up
  ends.to_client();
  CHECK_FALSE(ends.client.next());
  CHECK(ends.client.output().empty());
}

TEST_CASE("what waits for the window is not sent when its link has been detached", "[amqp]") {
  auto options = two_ends::named("server");
  options.incoming_window = 1;
  two_ends ends(0, two_ends::named("client"), options);
  auto const session = ends.open();
  auto const [out, in] = ends.attach(session, amqp::role::sender);
  ends.server.grant(in, 10);
  ends.at_client<amqp::credit_changed>();
  ends.client.send(out, "t", "first");
  ends.client.send(out, "t", "second");
  CHECK(ends.client.waiting(session) == 1);
  ends.client.detach(out, true);
  CHECK(ends.client.waiting(session) == 0);
  auto const first = ends.at_server<amqp::message_arrived>();
  CHECK(first.bytes == "first");
  CHECK(first.delivery_id == 0);
  ends.at_server<amqp::link_detached>();
  ends.at_client<amqp::link_detached>();
  CHECK(ends.quiet());
  // The next message has the next id (2.7.5), and is told of by the number that it was given here.
  auto const [other_out, other_in] = ends.attach(session, amqp::role::sender, "other");
  ends.server.grant(other_in, 10);
  ends.at_client<amqp::credit_changed>();
  auto const third = ends.client.send(other_out, "t", "third");
  auto const arrived = ends.at_server<amqp::message_arrived>();
  CHECK(arrived.delivery_id == 1);
  ends.server.settle(other_in, arrived.delivery_id, arrived.delivery_id, amqp::outcome::accepted);
  CHECK(ends.at_client<amqp::delivery_settled>().delivery_id == third);
  CHECK(ends.quiet());
}

TEST_CASE("a link that the peer refuses says so, and why", "[amqp]") {
  two_ends ends;
  auto const session = ends.open();
  auto const link = ends.client.attach(session, two_ends::options(amqp::role::receiver, "r"));
  ends.server.refuse(ends.at_server<amqp::link_attached>().link, "amqp:not-found", "no such hub");
  CHECK(ends.at_client<amqp::link_attached>().refused);
  auto const detached = ends.at_client<amqp::link_detached>();
  CHECK(detached.link == *link);
  CHECK(detached.closed);
  CHECK(detached.why.condition.text == "amqp:not-found");
  CHECK(detached.why.description == "no such hub");
  CHECK(ends.at_server<amqp::link_detached>().closed);  // the answer
  CHECK(ends.quiet());
  CHECK(ends.client.attach(session, two_ends::options(amqp::role::receiver, "r")) == link);  // the handle is free again
}

TEST_CASE("what is done on a link that is gone does nothing", "[amqp]") {
  two_ends ends;
  auto const session = ends.open();
  auto const [out, in] = ends.attach(session, amqp::role::sender, "s");
  auto const [rin, rout] = ends.attach(session, amqp::role::receiver, "r");
  ends.server.grant(in, 5);
  ends.at_client<amqp::credit_changed>();
  ends.client.send(out, "t", "m");
  ends.server.detach(in, true, "amqp:link:stolen", "another one has it");
  auto const stolen = ends.at_client<amqp::link_detached>();
  CHECK(stolen.link == out);
  CHECK(stolen.why.condition.text == "amqp:link:stolen");
  CHECK_FALSE(ends.client.send(out, "t", "m"));
  ends.client.detach(out, true);
  ends.client.settle(out, 0, 0, amqp::outcome::accepted);
  ends.client.grant(out, 3);
  CHECK(ends.at_server<amqp::link_detached>().link == in);
  CHECK(ends.quiet());
  ends.client.end(session);
  ends.client.grant(rin, 3);
  CHECK(ends.at_server<amqp::session_ended>().why.condition.text.empty());
  CHECK(ends.at_client<amqp::session_ended>().session == session);
  ends.server.send(rout, "t", "m");
  CHECK(ends.quiet());
  CHECK(ends.client.begin() == session);
}

// vcabbage/amqp #43, azure-sdk-for-python #28996: messages cross with the detach.
TEST_CASE("what was under way when a link was detached is dropped", "[amqp]") {
  two_ends ends;
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  ends.client.grant(in, 5);
  ends.at_server<amqp::credit_changed>();
  ends.client.detach(in, false);
  ends.server.send(out, "t", "m");
  ends.server.send(out, "t", "m");
  ends.to_client();
  CHECK(ends.at_server<amqp::link_detached>().closed == false);
  CHECK(ends.at_client<amqp::link_detached>().link == in);
  CHECK(ends.quiet());
}

TEST_CASE("empty frames go out in half the time that the peer waits, and silence ends the connection", "[amqp]") {
  auto patient = two_ends::named("server");
  patient.idle_time_out = 240s;  // it says 120
  two_ends ends(0, two_ends::named("client"), patient);
  ends.open();
  CHECK(ends.client.deadline() == two_ends::time_point{} + 60s);  // its own is 60: nothing came for so long
  ends.now += 59s;
  ends.client.tick(ends.now);
  CHECK(ends.client.output().empty());
  ends.server.tick(ends.now);  // 30 are the half of 60, 15 of what the client said
  CHECK(test::hex_of(ends.server.output()) == "0000000802000000");
  ends.to_client();
  CHECK(ends.client.deadline() == two_ends::time_point{} + 60s);  // it has been told of 120: half of it
  ends.now += 1s;
  ends.client.tick(ends.now);
  CHECK(test::hex_of(ends.client.output()) == "0000000802000000");
  ends.client.sent(8);  // lost
  ends.now += 59s;
  ends.client.tick(ends.now);
  auto const closed = ends.at_client<amqp::connection_closed>();
  CHECK_FALSE(closed.by_peer);
  CHECK(closed.why.condition.text == "amqp:resource-limit-exceeded");
  CHECK(ends.client.fault() == amqp::errc::silent_peer);
  CHECK_FALSE(ends.client.deadline());
}

TEST_CASE("a close is answered, and ends it", "[amqp]") {
  two_ends ends;
  auto const session = ends.open();
  ends.server.close("amqp:connection:forced", "inactive for too long");
  auto const closed = ends.at_client<amqp::connection_closed>();
  CHECK(closed.by_peer);
  CHECK(closed.why.condition.text == "amqp:connection:forced");
  CHECK(closed.why.description == "inactive for too long");
  CHECK(ends.at_server<amqp::connection_closed>().by_peer);
  CHECK_FALSE(ends.client.begin());
  CHECK_FALSE(ends.client.attach(session, two_ends::options(amqp::role::receiver, "r")));
  CHECK(ends.client.output().empty());
}

namespace {

// What a client that is open with a session and a receiver makes of these bytes.
struct fed {
  std::optional<amqp::errc> fault;
  std::string condition, told;  // what its own event says, and the close that goes to the peer
};

fed fed_with(std::string_view bytes) {
  two_ends ends;
  auto const [in, out] = ends.attach(ends.open(), amqp::role::receiver);
  ends.client.grant(in, 1);
  ends.client.sent(ends.client.output().size());
  ends.client.feed(bytes, ends.now);
  fed result;
  while (auto const event = ends.client.next())
    if (auto const* const closed = std::get_if<amqp::connection_closed>(&*event)) result.condition = closed->why.condition.text;
  result.fault = ends.client.fault();
  std::string_view left = ends.client.output();
  while (auto const f = amqp::take_frame(left, 65536)) {
    if (!*f) break;
    amqp::value_reader body((*f)->body);
    auto const what = amqp::read_performative(body);
    if (auto const* const close = std::get_if<amqp::close>(&*what)) result.told = amqp::read_error(close->error)->condition.text;
  }
  return result;
}

std::string frame_of(std::string_view hex, std::string_view channel = "0000") {
  std::string const body = test::bytes_of(hex);
  std::string out = test::bytes_of("000000");
  out += static_cast<char>(8 + body.size());
  return out + test::bytes_of("0200") + test::bytes_of(channel) + body;
}

}  // namespace

TEST_CASE("a peer that breaks the rules is told which, and the connection ends", "[amqp]") {
  using amqp::errc;
  struct row {
    std::string bytes;
    errc fault;
    std::string_view condition;
  };
  std::vector<row> const rows{
      {test::bytes_of("36540911"), errc::frame_too_large, "amqp:connection:framing-error"},  // azure-sdk-for-java #23157: out of step
      {test::bytes_of("0000000102000000"), errc::wrong_size, "amqp:decode-error"},
      {frame_of("005319 45"), errc::unknown_body, "amqp:decode-error"},
      {frame_of("005310 c00401 a10163"), errc::out_of_order, "amqp:illegal-state"},         // open twice
      {frame_of("005311 c00704 600000 434343"), errc::out_of_order, "amqp:illegal-state"},  // begin twice
      {frame_of("005314 c00702 52ff 43"), errc::truncated, "amqp:decode-error"},
      {frame_of("005314 c00402 52ff 43"), errc::out_of_order, "amqp:illegal-state"},        // of a link that is not there
      {frame_of("005314 c00302 43 43", "0009"), errc::out_of_order, "amqp:illegal-state"},  // of a session that is not there
      {frame_of("005314 c00201 43"), errc::missing_field, "amqp:invalid-field"},            // a first frame without an id
      {frame_of("005316 c00301 5209"), errc::out_of_order, "amqp:illegal-state"},
      {frame_of("005313 c00805 43 5201 43 43 5209"), errc::out_of_order, "amqp:illegal-state"},
  };
  for (auto const& [bytes, fault, condition] : rows) {
    CAPTURE(test::hex_of(bytes));
    auto const got = fed_with(bytes);
    CHECK(got.fault == fault);
    CHECK(got.condition == condition);
    CHECK(got.told == condition);
  }
  // More than there is credit for: that link alone.
  CHECK_FALSE(fed_with(frame_of("005314 c00603 43 43 a00174") + frame_of("005314 c00703 43 5201 a00174")).fault);
}

TEST_CASE("a peer that speaks something else is found out by its first bytes", "[amqp]") {
  for (std::string const& bytes :
       {std::string("HTTP/1.1 400 Bad Request\r\n"), test::bytes_of("414d515000000901"), test::bytes_of("414d515003010000")}) {
    amqp::connection end(two_ends::named("c"), two_ends::time_point{});
    end.open();
    end.feed(bytes, two_ends::time_point{});
    auto const event = end.next();
    REQUIRE(event);
    CHECK(std::get<amqp::connection_closed>(*event).why.condition.text == "amqp:connection:framing-error");
    CHECK(end.fault() == amqp::errc::wrong_protocol);
    CHECK_FALSE(end.next());
  }
}

TEST_CASE("a message above the limit detaches its link and no other", "[amqp]") {
  auto options = two_ends::named("client");
  options.max_message_size = 100;
  two_ends ends(0, options);
  auto const session = ends.open();
  auto const [in, out] = ends.attach(session, amqp::role::receiver, "a");
  auto const [other_in, other_out] = ends.attach(session, amqp::role::receiver, "b");
  ends.client.grant(in, 1);
  ends.client.grant(other_in, 1);
  ends.at_server<amqp::credit_changed>();
  ends.at_server<amqp::credit_changed>();
  ends.server.send(out, "t", std::string(101, 'x'));
  ends.server.send(other_out, "t", std::string(100, 'y'));
  CHECK(ends.at_client<amqp::message_arrived>().link == other_in);
  auto const detached = ends.at_server<amqp::link_detached>();
  CHECK(detached.link == out);
  CHECK(detached.why.condition.text == "amqp:link:message-size-exceeded");
  CHECK(ends.at_client<amqp::link_detached>().link == in);
}
