#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>

#include "support/catch.hpp"

using namespace weir;

TEST_CASE("what Kinesis calls its errors decides on their codes", "[kinesis]") {
  CHECK(kinesis::code_of("ExpiredIteratorException") == kinesis::errc::expired_iterator);
  CHECK(kinesis::code_of("ExpiredNextTokenException") == kinesis::errc::expired_next_token);
  CHECK(kinesis::code_of("KMSDisabledException") == kinesis::errc::key_unusable);
  CHECK(kinesis::code_of("ProvisionedThroughputExceededException") == std::nullopt);
  CHECK(kinesis::code_of("") == std::nullopt);
}

TEST_CASE("Kinesis' own errors are not to be retried as they are", "[kinesis]") {
  for (int e = 1; e <= 6; ++e) {
    std::error_code const code = static_cast<kinesis::errc>(e);
    INFO(code.message());
    CHECK(code != condition::retryable);
    CHECK(code != condition::not_found);
    CHECK(code.message().find("unknown error") == std::string::npos);
  }
  CHECK(std::error_code(static_cast<kinesis::errc>(99)).message() == "unknown error 99");
}
