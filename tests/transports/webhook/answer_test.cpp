#include <weir/webhook/answer.hpp>

#include "support/catch.hpp"

using namespace weir;
using namespace std::chrono_literals;

namespace {
net::response of(unsigned status, std::string body = "") {
  net::response r;
  r.status = status;
  r.body = std::move(body);
  return r;
}
std::error_code code_of(unsigned status) { return webhook::failure_in(of(status)).value().code(); }
}  // namespace

TEST_CASE("a status says whether rows were taken, will be, or never", "[webhook][answer]") {
  for (unsigned const taken : {200U, 201U, 202U, 204U, 299U}) CHECK_FALSE(webhook::failure_in(of(taken)));
  CHECK(code_of(429) == errc::throttled);
  for (unsigned const later : {408U, 425U, 429U, 500U, 501U, 502U, 503U, 504U, 599U}) CHECK(code_of(later) == condition::retryable);
  for (unsigned const keys : {401U, 403U, 407U}) CHECK(code_of(keys) == errc::access_denied);
  for (unsigned const place : {301U, 302U, 307U, 308U, 404U, 405U, 410U}) CHECK(code_of(place) == errc::not_found);
  for (unsigned const rows : {400U, 409U, 413U, 415U, 418U, 422U, 451U}) CHECK(code_of(rows) == errc::rejected);
  CHECK(code_of(700) == errc::incompatible);
}

TEST_CASE("a failure says status and body, in one line, not too long", "[webhook][answer]") {
  CHECK(std::string(webhook::failure_in(of(422, "{\"error\":\n\"no such bar\"}"))->what()) ==
        "webhook: the receiver refuses rows: status 422: {\"error\": \"no such bar\"}; correct them, or their encoder");
  net::response moved = of(308);
  moved.headers.add("Location", "https://example.com/there");
  CHECK(std::string(webhook::failure_in(moved)->what()) ==
        "webhook: the receiver is not there: status 308, to https://example.com/there; correct the URL");
  CHECK(webhook::beginning_of(std::string(200, 'x')) == std::string(200, 'x'));
  CHECK(webhook::beginning_of(std::string(201, 'x')) == std::string(200, 'x') + "...");
  CHECK(webhook::beginning_of(std::string(199, 'x') + "ä!") == std::string(199, 'x') + "...");  // the letter has two bytes
  CHECK(webhook::beginning_of(std::string(198, 'x') + "ä!") == std::string(198, 'x') + "ä...");
}

TEST_CASE("Retry-After is obeyed, but not for ever", "[webhook][answer]") {
  instant const now = 784'111'777'000'000'000;  // Sun, 06 Nov 1994 08:49:37 GMT: RFC 9110, section 5.6.7
  net::response r = of(503);
  CHECK(webhook::wait_asked_for(r, now, 1h) == 0ns);
  r.headers.set("Retry-After", "120");
  CHECK(webhook::wait_asked_for(r, now, 1h) == 2min);
  CHECK(webhook::wait_asked_for(r, now, 1min) == 1min);
  r.headers.set("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT");
  CHECK(webhook::wait_asked_for(r, now, 1h) == 10s);
  r.headers.set("Retry-After", "soon");
  CHECK(webhook::wait_asked_for(r, now, 1h) == 0ns);
}
