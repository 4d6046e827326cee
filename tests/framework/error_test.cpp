#include <weir/error.hpp>

#include "support/catch.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

using namespace weir;

TEST_CASE("a message has the house form: component, what failed, ids, why, what to do", "[framework][error]") {
  error const e = error(errc::throttled, "kinesis: GetRecords failed", "ProvisionedThroughputExceededException", "reading more slowly")
                      .with_stream("ticks")
                      .with_partition("3")
                      .with_position("17")
                      .with_request_id("ab-1")
                      .with_detail("after 4 tries");
  CHECK(std::string(e.what()) ==
        "kinesis: GetRecords failed (stream ticks, partition 3, position 17, request ab-1, after 4 tries): "
        "ProvisionedThroughputExceededException; reading more slowly");
  CHECK(e.stream() == "ticks");
  CHECK(e.partition() == "3");
  CHECK(e.position() == "17");
  CHECK(e.request_id() == "ab-1");
  CHECK(e.why() == "ProvisionedThroughputExceededException");
}

TEST_CASE("what is not known leaves no trace in the message", "[framework][error]") {
  CHECK(std::string(error(errc::io, "file: cannot read").what()) == "file: cannot read");
  CHECK(std::string(error(errc::io, "file: cannot read", "disk on fire").what()) == "file: cannot read: disk on fire");
  CHECK(std::string(error(errc::io, "file: cannot read", "", "put it out").what()) == "file: cannot read; put it out");
  CHECK(std::string(error(errc::io, "file: cannot read").with_partition("0").what()) == "file: cannot read (partition 0)");
}

TEST_CASE("ids may be added further up, where they are known", "[framework][error]") {
  try {
    try {
      throw error(errc::malformed, "ndjson: not a record", "a brace is missing").with_detail("line 12");
    } catch (error& e) {
      e.with_partition("ticks.ndjson").with_detail("byte 345");
      throw;
    }
  } catch (std::system_error const& e) {
    CHECK(std::string(e.what()) == "ndjson: not a record (partition ticks.ndjson, line 12, byte 345): a brace is missing");
    CHECK(e.code() == errc::malformed);
  }
}

TEST_CASE("a copy does not see what is added to the original afterwards", "[framework][error]") {
  error original(errc::io, "file: cannot read");
  error const copy = original;
  original.with_partition("7");
  CHECK(std::string(copy.what()) == "file: cannot read");
  CHECK(copy.partition().empty());
  error moved(errc::misuse, "");
  moved = std::move(original);  // NOLINT(performance-move-const-arg): that it copies is what is tested
  CHECK(std::string(moved.what()) == "file: cannot read (partition 7)");
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<error>);
}

TEST_CASE("every errc has a sentence of its own in one category", "[framework][error]") {
  std::vector<std::string> seen;
  for (int i = 1; i <= static_cast<int>(errc::over_budget); ++i) {
    std::error_code const code = static_cast<errc>(i);
    CHECK(code.category() == weir_category());
    CHECK(code.message().find("unknown") == std::string::npos);
    CHECK(std::count(seen.begin(), seen.end(), code.message()) == 0);
    seen.push_back(code.message());
  }
  CHECK(std::error_code(12345, weir_category()).message() == "unknown error 12345");
  CHECK(std::string(weir_category().name()) == "weir");
}

TEST_CASE("cancelled is recognised in codes of Weir, of the system and of Asio", "[framework][error]") {
  auto const asio = std::error_code(boost::system::error_code(boost::asio::error::operation_aborted));
  CHECK(make_error_code(errc::cancelled) == condition::cancelled);
  CHECK(std::error_code(ECANCELED, std::generic_category()) == condition::cancelled);
  CHECK(std::error_code(ECANCELED, std::system_category()) == condition::cancelled);
  CHECK(asio == condition::cancelled);
  CHECK(make_error_code(errc::cancelled) == std::errc::operation_canceled);
  CHECK(make_error_code(errc::timed_out) != condition::cancelled);
  CHECK(std::error_code() != condition::cancelled);
}

TEST_CASE("retryable is what the same call may succeed after", "[framework][error]") {
  for (errc const e : {errc::timed_out, errc::busy, errc::throttled, errc::unavailable}) CHECK(make_error_code(e) == condition::retryable);
  for (int const e : {EAGAIN, EINTR, ETIMEDOUT, ECONNRESET, ECONNREFUSED, EBUSY, EHOSTUNREACH, EPIPE}) {
    INFO(std::strerror(e));
    CHECK(std::error_code(e, std::system_category()) == condition::retryable);
    CHECK(std::error_code(e, std::generic_category()) == condition::retryable);
  }
  CHECK(std::error_code(boost::system::error_code(boost::asio::error::host_not_found_try_again)) == condition::retryable);
  CHECK(std::error_code(boost::system::error_code(boost::asio::error::eof)) == condition::retryable);
  for (errc const e : {errc::cancelled, errc::corrupt, errc::fenced, errc::stale, errc::rejected, errc::handler_failed, errc::not_found})
    CHECK(make_error_code(e) != condition::retryable);
  for (int const e : {ENOENT, EACCES, ENOSPC, EINVAL, 0}) CHECK(std::error_code(e, std::system_category()) != condition::retryable);
}

TEST_CASE("the other conditions hold for their codes only", "[framework][error]") {
  CHECK(make_error_code(errc::throttled) == condition::throttled);
  CHECK(make_error_code(errc::busy) != condition::throttled);
  CHECK(make_error_code(errc::fenced) == condition::fenced);
  CHECK(make_error_code(errc::stale) == condition::fenced);
  CHECK(make_error_code(errc::busy) != condition::fenced);
  CHECK(make_error_code(errc::not_found) == condition::not_found);
  CHECK(std::error_code(ENOENT, std::system_category()) == condition::not_found);
  CHECK(std::error_code(boost::system::error_code(boost::asio::error::host_not_found)) == condition::not_found);
  CHECK(make_error_code(errc::corrupt) != condition::not_found);
  CHECK(make_error_code(errc::corrupt) != condition::cancelled);
  CHECK(make_error_condition(condition::fenced).message() == "somebody else owns it or has got further");
}
