#include <weir/aws/signing.hpp>

#include <weir/aws/detail/canonical_request.hpp>
#include <weir/instant.hpp>
#include <weir/net/hashes.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

using namespace weir;
using namespace std::chrono;
using test::fails_with;

namespace {

constexpr instant as_in_the_suite = to_instant(sys_days(2015y / August / 30) + 12h + 36min);
aws::credentials const example("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

std::string content_of(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The string behind a name in a small JSON text; empty when there is none.
std::string member(std::string const& json, std::string const& name) {
  std::size_t const at = json.find('"' + name + "\": \"");
  if (at == std::string::npos) return {};
  std::size_t const from = at + name.size() + 5;
  return json.substr(from, json.find('"', from) - from);
}

// One case of the suite: a request as it is sent, and how it is to be signed.
struct suite_case {
  explicit suite_case(std::filesystem::path const& folder) : context(content_of(folder / "context.json")) {
    std::istringstream in(content_of(folder / "request.txt"));
    std::string line;
    std::getline(in, line);
    method = line.substr(0, line.find(' '));
    target = line.substr(method.size() + 1, line.rfind(' ') - method.size() - 1);
    std::string name, value;
    while (std::getline(in, line) && !line.empty()) {
      if (line.front() == ' ') {  // a value that goes on: RFC 9112, section 5.2, has a space for the break
        value += line;
        continue;
      }
      if (!name.empty()) headers.add(name, value);
      name = line.substr(0, line.find(':'));
      value = line.substr(name.size() + 1);
    }
    headers.add(name, value);
    body.assign(std::istreambuf_iterator<char>(in), {});
  }
  bool says(std::string const& what) const { return context.find('"' + what) != std::string::npos; }

  std::string context, method, target, body;
  net::headers headers;
};

std::string after(std::string_view text, std::string_view what) {
  std::size_t const at = text.find(what);
  if (at == text.npos) return {};
  text.remove_prefix(at + what.size());
  return std::string(text.substr(0, text.find(',')));
}

}  // namespace

TEST_CASE("AWS's own test suite: what is signed, and the signature", "[aws][signing]") {
  auto const data = test::shared_data();
  if (!data && test::skip("no shared data")) return;
  std::size_t cases = 0;
  for (auto const& at : std::filesystem::directory_iterator(*data / "sigv4")) {
    if (!at.is_directory()) continue;
    ++cases;
    CAPTURE(at.path().filename().string());
    suite_case const c(at.path());
    bool const declare = c.says("sign_body\": true"), beside = c.says("omit_session_token\": true");
    std::string const token = member(c.context, "token"), hash = net::to_hex(net::sha256(c.body)), date = "20150830T123600Z";
    CHECK(member(c.context, "timestamp") == "2015-08-30T12:36:00Z");
    CHECK(aws::detail::date_text(as_in_the_suite) == date);
    net::headers all = c.headers;
    all.add("X-Amz-Date", date);
    if (declare) all.add("X-Amz-Content-Sha256", hash);
    if (!token.empty() && !beside) all.add("X-Amz-Security-Token", token);
    aws::signing_scope const where{member(c.context, "region"), member(c.context, "service")};
    aws::path_form const form = c.says("normalize\": true") ? aws::path_form::normalized : aws::path_form::as_it_is;

    auto const canonical = aws::detail::canonical(c.method, c.target, all, hash, form);
    CHECK(canonical.text == content_of(at.path() / "header-canonical-request.txt"));
    std::string const text = aws::detail::string_to_sign(canonical.text, where, date);
    CHECK(text == content_of(at.path() / "header-string-to-sign.txt"));
    CHECK(aws::detail::signature(member(c.context, "secret_access_key"), where, date, text) ==
          content_of(at.path() / "header-signature.txt"));
  }
  CHECK(cases == 38);
}

TEST_CASE("a request is signed like AWS's documentation has it", "[aws][signing]") {
  // "Signature Version 4 signing process", IAM's ListUsers.
  net::request r("GET", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08");
  r.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  r.headers.add("User-Agent", "not signed");
  aws::sign(r, example, {"us-east-1", "iam"}, as_in_the_suite);
  CHECK(r.headers.find("x-amz-date") == "20150830T123600Z");
  CHECK(r.headers.find("authorization") ==
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, "
        "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
  CHECK_FALSE(r.headers.find("x-amz-security-token"));
}

TEST_CASE("a request that is signed again has one signature, of the new keys and time", "[aws][signing]") {
  net::request once("POST", "http://127.0.0.1:4567/", "{}");
  once.headers.add("X-Amz-Target", "Kinesis_20131202.ListStreams");
  net::request twice = once;
  aws::credentials const lent("AKIDOTHER", "secret", "token");
  aws::sign(twice, lent, {"eu-west-1", "kinesis"}, as_in_the_suite - 1'000'000'000, {.declare_body = true});
  aws::sign(twice, example, {"eu-west-1", "kinesis"}, as_in_the_suite);
  aws::sign(once, example, {"eu-west-1", "kinesis"}, as_in_the_suite);
  CHECK(twice.headers.size() == once.headers.size());
  for (auto const& [name, value] : once.headers) CHECK(twice.headers.find(name) == value);
  CHECK(after(*once.headers.find("Authorization"), "SignedHeaders=") == "host;x-amz-date;x-amz-target");
}

TEST_CASE("every part of a request that may not change is signed", "[aws][signing]") {
  auto const signature = [](net::request r, aws::signing_scope const& where = {"eu-west-1", "kinesis"}, instant when = as_in_the_suite,
                            aws::credentials const& by = example) {
    aws::sign(r, by, where, when);
    return after(*r.headers.find("Authorization"), "Signature=");
  };
  net::request const plain("POST", "https://kinesis.eu-west-1.amazonaws.com/?a=1", "{}");
  std::string const right = signature(plain);
  CHECK(right.size() == 64);
  CHECK(signature(plain) == right);
  auto const changed = [&](auto change) {
    net::request r = plain;
    change(r);
    return signature(r) != right;
  };
  CHECK(changed([](net::request& r) { r.method = "PUT"; }));
  CHECK(changed([](net::request& r) { r.url = "https://kinesis.eu-west-1.amazonaws.com/?a=2"; }));
  CHECK(changed([](net::request& r) { r.url = "https://kinesis.eu-west-1.amazonaws.com/x?a=1"; }));
  CHECK(changed([](net::request& r) { r.url = "https://kinesis.eu-west-1.amazonaws.com:8443/?a=1"; }));
  CHECK(changed([](net::request& r) { r.body = "{ }"; }));
  CHECK(changed([](net::request& r) { r.headers.add("X-Amz-Target", "Kinesis_20131202.ListShards"); }));
  CHECK_FALSE(changed([](net::request& r) { r.headers.add("User-Agent", "x"); }));
  CHECK(signature(plain, {"eu-west-2", "kinesis"}) != right);
  CHECK(signature(plain, {"eu-west-1", "dynamodb"}) != right);
  CHECK(signature(plain, {"eu-west-1", "kinesis"}, as_in_the_suite + 1'000'000'000) != right);
  CHECK(signature(plain, {"eu-west-1", "kinesis"}, as_in_the_suite, {"AKIDEXAMPLE", "another"}) != right);
  CHECK(signature(plain, {"eu-west-1", "kinesis"}, as_in_the_suite, {"AKIDEXAMPLE", example.secret_access_key, "token"}) != right);
}

TEST_CASE("what cannot be signed is refused, without showing the secret", "[aws][signing]") {
  net::request r("POST", "https://kinesis.eu-west-1.amazonaws.com/");
  aws::signing_scope const where{"eu-west-1", "kinesis"};
  fails_with(errc::invalid_option, [&] { aws::sign(r, {"", "secret"}, where, 0); }, "access key id");
  fails_with(errc::invalid_option, [&] { aws::sign(r, {"AKID", ""}, where, 0); }, "secret access key");
  fails_with(errc::invalid_option, [&] { aws::sign(r, example, {"", "kinesis"}, 0); }, "no region");
  fails_with(errc::invalid_option, [&] { aws::sign(r, example, {"eu-west-1", ""}, 0); }, "no service");
  r.url = "kinesis.eu-west-1.amazonaws.com";
  fails_with(errc::invalid_option, [&] { aws::sign(r, example, where, 0); }, "is no absolute URL");
}
