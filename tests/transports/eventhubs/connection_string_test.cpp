#include <weir/eventhubs/connection_string.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using eventhubs::connection_string;
using test::fails_with;

TEST_CASE("a connection string of the portal is read", "[eventhubs]") {
  auto const read = connection_string::parse(
      "Endpoint=sb://NS.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=a+b/c=;EntityPath=ticks");
  CHECK(read.host == "ns.servicebus.windows.net");
  CHECK(read.port == 0);
  CHECK(read.authority() == "ns.servicebus.windows.net");
  CHECK(read.event_hub == "ticks");
  CHECK(read.key_name == "RootManageSharedAccessKey");
  CHECK(read.key == "a+b/c=");
  CHECK_FALSE(read.emulator);
  auto const emulator = connection_string::parse(
      " endpoint = sb://localhost:5673 ; SHAREDACCESSKEYNAME=n;SharedAccessKey=k; UseDevelopmentEmulator = True;\n");
  CHECK(emulator.host == "localhost");
  CHECK(emulator.port == 5673);
  CHECK(emulator.authority() == "localhost:5673");
  CHECK(emulator.emulator);
  CHECK(emulator.event_hub.empty());
  auto const made = connection_string::parse("Endpoint=sb://h/;SharedAccessSignature=SharedAccessSignature sr=x&sig=y&se=1&skn=z");
  CHECK(made.shared_access_signature == "SharedAccessSignature sr=x&sig=y&se=1&skn=z");
}

TEST_CASE("a connection string that cannot be used says why, and shows no key", "[eventhubs]") {
  struct row {
    std::string text, why;
  };
  for (auto const& [text, why] : {
           row{"", "no Endpoint"},
           row{"SharedAccessKeyName=n;SharedAccessKey=secret", "no Endpoint"},
           row{"Endpoint=ns.servicebus.windows.net", "no URL"},
           row{"Endpoint=https://ns/", "sb://"},
           row{"Endpoint=sb:///", "no host"},
           row{"Endpoint=sb://h/hub", "no host, or more"},
           row{"Endpoint=sb://h:0/", "port"},
           row{"Endpoint=sb://h:99999/", "port"},
           row{"Endpoint=sb://h:x/", "port"},
           row{"Endpoint=sb://h/;SharedAccessKeyName=n", "no SharedAccessKey"},
           row{"Endpoint=sb://h/;SharedAccessKey=secret", "no SharedAccessKeyName"},
           row{"Endpoint=sb://h/;Endpoint=sb://i/", "Endpoint stands there twice"},
           row{"Endpoint=sb://h/;SharedAccesKey=secret", "SharedAccesKey"},
           row{"Endpoint=sb://h/;secret", "no \"=\""},
           row{"secretIsLongerThanAnyNameOfAKey=", "no key and its value"},
           row{"secret0=", "no key and its value"},
           row{"Endpoint=sb://h/;UseDevelopmentEmulator=yes", "neither true nor false"},
           row{"Endpoint=sb://h/;SharedAccessSignature=secret", "SharedAccessSignature"},
           row{"Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=secret;SharedAccessSignature=SharedAccessSignature sr=secret",
               "both"},
       }) {
    CAPTURE(text);
    try {
      connection_string::parse(text);
      FAIL("it was read");
    } catch (error const& e) {
      CHECK(e.code() == errc::invalid_option);
      CHECK(std::string(e.what()).find(why) != std::string::npos);
      CHECK(std::string(e.what()).find("secret") == std::string::npos);
    }
  }
}
