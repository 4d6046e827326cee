#include <weir/eventhubs/sas_token.hpp>

#include "support/catch.hpp"

using namespace weir;

// Made by Microsoft's SDK for JavaScript with this key, on the way to put a token (captured).
TEST_CASE("a token is signed as the official SDK signs it", "[eventhubs]") {
  auto const audience = eventhubs::audience("localhost:8080", "hub1/$management");
  CHECK(audience == "sb://localhost:8080/hub1/$management");
  CHECK(
      eventhubs::sas_token(audience, "RootManageSharedAccessKey", "c2VjcmV0", 1795965383) ==
      "SharedAccessSignature sr=sb%3A%2F%2Flocalhost%3A8080%2Fhub1%2F%24management&sig=56E%2FDcnCMbU3SoaNzjwsJrFsw%2FSffWK8yX8Mmfio%2FkA%3D"
      "&se=1795965383&skn=RootManageSharedAccessKey");
  CHECK(eventhubs::audience("h", "/hub") == "sb://h/hub");
}
