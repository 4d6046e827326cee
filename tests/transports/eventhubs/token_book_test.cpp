#include <weir/eventhubs/detail/token_book.hpp>

#include <weir/error.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::detail::moment;
using eventhubs::detail::token_book;

namespace {

// So many seconds after some moment, by both clocks.
moment at(std::int64_t s) {
  moment out;
  out.at += std::chrono::seconds(s);
  out.unix_time = 1000 + s;
  return out;
}

// Tokens hold for an hour, and each is another.
token_book hourly() {
  return token_book([](std::string const& audience, std::int64_t now) {
    eventhubs::token out;
    out.text = audience + " from " + std::to_string(now);
    out.expires = now + 3600;
    return out;
  });
}

}  // namespace

TEST_CASE("a token is put at once, and again when three quarters of its time are over", "[eventhubs]") {
  token_book book = hourly();
  CHECK_FALSE(book.due());
  book.want("a", at(0));
  CHECK(book.due() == at(0).at);
  auto const first = book.next(at(0));
  REQUIRE(first);
  CHECK(first->audience == "a");
  CHECK(first->value.text == "a from 1000");
  CHECK_FALSE(book.holds("a", 1000));
  book.answered(202, "", "Accepted", at(1));
  CHECK(book.holds("a", 4599));
  CHECK_FALSE(book.holds("a", 4600));
  CHECK_FALSE(book.next(at(2699)));
  auto const second = book.next(at(2701));
  REQUIRE(second);
  CHECK(second->value.text == "a from 3701");
}

TEST_CASE("one token is under way at a time", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  book.want("b", at(1));
  CHECK(book.next(at(1))->audience == "a");
  CHECK(book.under_way());
  CHECK_FALSE(book.next(at(1)));
  CHECK_FALSE(book.due());
  book.answered(202, "", "", at(2));
  CHECK(book.next(at(2))->audience == "b");
}

// azure-sdk-for-cpp #7375: a slow audience delayed the others.
TEST_CASE("an audience that gets no answer does not hold up the others", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  book.want("b", at(0));
  CHECK(book.next(at(0))->audience == "a");
  book.unanswered(at(30));
  CHECK(book.next(at(30))->audience == "b");
  book.answered(202, "", "", at(30));
  CHECK(book.next(at(31))->audience == "a");  // a second later
  book.unanswered(at(61));
  CHECK_FALSE(book.next(at(62)));
  CHECK(book.next(at(63))->audience == "a");  // and then two
}

// azure-sdk-for-java #34250: after a failure tokens were not renewed any more.
TEST_CASE("a renewal that fails is tried again, and the token holds until it expires", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  (void)book.next(at(0));
  book.answered(202, "", "", at(0));
  std::int64_t now = 2700;
  std::vector<std::int64_t> tried;
  while (now < 3600) {
    if (book.next(at(now))) {
      tried.push_back(now);
      book.answered(401, "com.microsoft:auth-failed", "InvalidSignature", at(now));
    }
    CHECK(book.holds("a", 1000 + now));
    CHECK_FALSE(book.refused("a"));
    ++now;
  }
  REQUIRE(tried.size() > 5);
  CHECK(std::vector<std::int64_t>(tried.begin(), tried.begin() + 6) == std::vector<std::int64_t>{2700, 2701, 2703, 2707, 2715, 2731});
  CHECK(tried.at(6) - tried.at(5) == 30);  // no longer than that
}

TEST_CASE("a refusal is final the second time, and is forgotten when it is wanted anew", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  (void)book.next(at(0));
  book.answered(401, "com.microsoft:auth-failed", "InvalidSignature", at(0));
  CHECK_FALSE(book.refused("a"));
  REQUIRE(book.next(at(1)));
  book.answered(401, "com.microsoft:auth-failed", "InvalidSignature", at(1));
  REQUIRE(book.refused("a"));
  CHECK(book.refused("a")->code == errc::access_denied);
  CHECK(book.refused("a")->why == "status 401, com.microsoft:auth-failed: InvalidSignature");
  CHECK_FALSE(book.due());
  book.want("a", at(100));
  CHECK_FALSE(book.refused("a"));
  CHECK(book.next(at(100)));
}

TEST_CASE("what the service says decides when a token is put again", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  (void)book.next(at(0));
  book.answered(503, "com.microsoft:server-busy", "", at(0));
  CHECK_FALSE(book.next(at(3)));
  REQUIRE(book.next(at(4)));  // least_pause
  book.answered(404, "amqp:not-found", "no such hub", at(4));
  REQUIRE(book.refused("a"));
  CHECK(book.refused("a")->code == errc::not_found);
}

TEST_CASE("tokens are lost with their connection, and put again", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  book.want("b", at(0));
  (void)book.next(at(0));
  book.answered(202, "", "", at(0));
  (void)book.next(at(0));  // under way when the connection goes
  book.lost(at(5));
  CHECK_FALSE(book.holds("a", 1005));
  CHECK(book.next(at(5))->audience == "a");
  book.answered(202, "", "", at(5));
  CHECK(book.next(at(5))->audience == "b");
}

TEST_CASE("a token is renewed for as long as somebody wants it", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  book.want("a", at(0));
  book.drop("a");
  CHECK(book.next(at(0)));
  book.drop("a");
  book.answered(202, "", "", at(0));  // too late
  CHECK_FALSE(book.due());
  CHECK_FALSE(book.holds("a", 1000));
}

TEST_CASE("a token that was made elsewhere is put once on a connection", "[eventhubs]") {
  auto const from =
      eventhubs::connection_string::parse("Endpoint=sb://h/;SharedAccessSignature=SharedAccessSignature sr=x&sig=y&se=4600&skn=z");
  token_book book(eventhubs::tokens_of(from));
  book.want("a", at(0));
  REQUIRE(book.next(at(0)));
  book.answered(202, "", "", at(0));
  CHECK_FALSE(book.next(at(2700)));  // there is no better one
  CHECK(book.due() == at(3600).at);
  CHECK(book.holds("a", 4599));
  book.lost(at(2800));
  CHECK(book.next(at(2800)));
  // When it is over, the service has the last word.
  book.answered(202, "", "", at(2800));
  for (int i : {3600, 3602}) {
    CHECK_FALSE(book.refused("a"));
    REQUIRE(book.next(at(i)));
    book.answered(401, "amqp:unauthorized-access", "ExpiredToken", at(i));
  }
  CHECK(book.refused("a"));
  auto const endless = eventhubs::connection_string::parse("Endpoint=sb://h/;SharedAccessSignature=SharedAccessSignature sr=x&sig=y");
  test::fails_with(errc::invalid_option, [&] { (void)eventhubs::tokens_of(endless); }, "se=");
  auto const bare = eventhubs::connection_string::parse("Endpoint=sb://h/");
  test::fails_with(errc::invalid_option, [&] { (void)eventhubs::tokens_of(bare); }, "neither a SharedAccessKey");
}

TEST_CASE("a source of tokens that throws has refused, unless that may pass", "[eventhubs]") {
  errc why = errc::unavailable;
  token_book book([&why](std::string const&, std::int64_t) -> eventhubs::token { throw error(why, "identity: does not answer"); });
  book.want("a", at(0));
  for (auto const& [then, next] : {std::pair(0, 1), std::pair(1, 3), std::pair(3, 7)}) {
    CHECK_FALSE(book.next(at(then)));
    CHECK_FALSE(book.refused("a"));
    CHECK(book.due() == at(next).at);
  }
  why = errc::access_denied;
  CHECK_FALSE(book.next(at(7)));
  REQUIRE(book.refused("a"));
  CHECK(book.refused("a")->code == errc::access_denied);
  CHECK(book.refused("a")->why == "identity: does not answer");
}
