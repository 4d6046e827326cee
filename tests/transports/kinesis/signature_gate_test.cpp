// The server's own judge of signatures: against a request that another signer has signed, and with every part of it changed.
#include "support/signature_gate.hpp"

#include <weir/aws/signing.hpp>
#include <weir/instant.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/skip.hpp"
#include "transports/kinesis/capture.hpp"

#include <chrono>
#include <optional>
#include <sstream>
#include <string>

using namespace weir;
using namespace std::chrono_literals;
using test::seen_request;
using test::signature_gate;

namespace {

seen_request parsed(std::string const& bytes) {
  seen_request r;
  std::istringstream in(bytes.substr(0, bytes.find("\r\n\r\n") + 2));
  in >> r.method >> r.target;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    line.pop_back();
    std::string name = line.substr(0, line.find(':'));
    r.headers[net::lower_case(name)] = line.substr(name.size() + 2);
  }
  r.body = bytes.substr(bytes.find("\r\n\r\n") + 4);
  return r;
}

signature_gate const gate({{"AKIDTEST", "secret", "TOKEN"}}, {"us-east-1", "kinesis"});

// What the gate says; empty: it lets it pass.
std::string said(signature_gate const& by, seen_request const& r, std::optional<instant> now = {}) {
  try {
    by.check(r, now.value_or(signature_gate::time_of(r).value_or(0)));
  } catch (test::refusal const& e) {
    return e.type + ": " + e.message;
  }
  return {};
}

std::optional<seen_request> sdk_request() {
  auto const bytes = test::kinesis_capture("sdk-js-v3-GetRecords.req.bin");
  return bytes ? std::optional(parsed(*bytes)) : std::nullopt;
}

}  // namespace

TEST_CASE("a request of AWS's own SDK is let in", "[kinesis][gate]") {
  auto const r = sdk_request();
  if (!r && test::skip("no captures of the SDK")) return;
  CHECK(said(gate, *r) == "");
}

TEST_CASE("a request with any signed part of it changed is refused", "[kinesis][gate]") {
  auto const good = sdk_request();
  if (!good && test::skip("no captures of the SDK")) return;
  std::string const names = good->headers.at("authorization");
  for (auto const& [name, value] : good->headers) {
    if (names.find(';' + name) == std::string::npos && names.find('=' + name + ';') == std::string::npos) continue;
    INFO(name);
    seen_request r = *good;
    r.headers[name] = "x" + value;
    CHECK_FALSE(said(gate, r).empty());
  }
  for (std::size_t i = 0; i < good->body.size(); i += 13) {
    seen_request r = *good;
    r.body[i] = static_cast<char>(r.body[i] ^ 1);
    CHECK(said(gate, r).starts_with("InvalidSignatureException: The request signature we calculated does not match"));
  }
  seen_request r = *good;
  r.target = "/?a=b";
  CHECK(said(gate, r).starts_with("InvalidSignatureException"));
  r = *good;
  r.method = "PUT";
  CHECK(said(gate, r).starts_with("InvalidSignatureException"));
  r = *good;
  r.headers["x-amz-later"] = "1";
  CHECK(said(gate, r).find("must be a 'SignedHeader'") != std::string::npos);
}

TEST_CASE("who may not come in hears why", "[kinesis][gate]") {
  auto const good = sdk_request();
  if (!good && test::skip("no captures of the SDK")) return;
  instant const then = *signature_gate::time_of(*good);
  auto const minutes = [](int n) { return std::chrono::nanoseconds(std::chrono::minutes(n)).count(); };
  CHECK(said(gate, *good, then + minutes(5)) == "");
  CHECK(said(gate, *good, then - minutes(5)) == "");
  CHECK(said(gate, *good, then + minutes(20)) ==
        "InvalidSignatureException: Signature expired: 20261129T142006Z is now earlier than 20261129T143506Z (20261129T144006Z - 5 min.)");
  CHECK(said(gate, *good, then - minutes(20)).starts_with("InvalidSignatureException: Signature not yet current"));
  auto const by = [&](aws::credentials c, aws::signing_scope where = {"us-east-1", "kinesis"}) {
    return said(signature_gate({std::move(c)}, std::move(where)), *good);
  };
  CHECK(by({"AKIDTEST", "other", "TOKEN"}).find("Check your AWS Secret Access Key") != std::string::npos);
  CHECK(by({"AKIDOTHER", "secret", "TOKEN"}).starts_with("UnrecognizedClientException"));
  CHECK(by({"AKIDTEST", "secret", "OTHER"}).starts_with("UnrecognizedClientException"));
  CHECK(by({"AKIDTEST", "secret", "TOKEN", then}).starts_with("ExpiredTokenException"));
  CHECK(by({"AKIDTEST", "secret", "TOKEN"}, {"eu-west-1", "kinesis"}).find("valid region, not 'us-east-1'") != std::string::npos);
  CHECK(by({"AKIDTEST", "secret", "TOKEN"}, {"us-east-1", "dynamodb"}).find("correct service: 'dynamodb'") != std::string::npos);
  seen_request r = *good;
  r.headers.erase("authorization");
  CHECK(said(gate, r).starts_with("MissingAuthenticationTokenException"));
  r.headers["authorization"] = "AWS4-HMAC-SHA256 Credential=AKIDTEST/20261129/us-east-1/kinesis/aws4_request";
  CHECK(said(gate, r).starts_with("IncompleteSignatureException"));
  r = *good;
  r.headers.erase("x-amz-date");
  CHECK(said(gate, r).starts_with("IncompleteSignatureException"));
}
