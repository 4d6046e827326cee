#include <weir/webhook/signer.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using test::fails_with;
using webhook::signer;

TEST_CASE("a signature is the one of the project's own libraries", "[webhook][signature]") {
  // standard-webhooks/standard-webhooks at b2fa7b87, libraries/python/tests/test_webhooks.py, test_sign_function.
  signer const s({"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"});
  CHECK(s.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})") == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("there is a signature by each secret, with or without the prefix", "[webhook][signature]") {
  // The second by `openssl dgst -sha256 -hmac second -binary | base64`.
  signer const s({"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2Vjb25k"});
  CHECK(s.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})") ==
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,WWQQXy0Z7arKJ9d3BF9mEO8o7FPlQSx373J1Xt8Puqw=");
  CHECK(signer({}).empty());
}

TEST_CASE("a secret that is none is refused, and not shown", "[webhook][signature]") {
  for (char const* const bad : {"", "whsec_", "whsec_no base64", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"}) {
    try {
      signer const s({bad});
      FAIL("nothing was thrown");
    } catch (error const& e) {
      CHECK(e.code() == errc::invalid_option);
      CHECK(std::string(e.what()).find("MfKQ") == std::string::npos);
    }
  }
}
