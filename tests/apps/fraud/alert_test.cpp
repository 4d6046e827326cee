#include <alert.hpp>

#include "support/catch.hpp"

using namespace fraud;

TEST_CASE("an alert is one line of JSON") {
  CHECK(alert_text(failed_logins{"a\"1", 1'735'828'200'000'000'000, 1'735'828'260'500'999'999, 3}) ==
        R"({"alert":"failed_logins","account":"a\"1","first":1735828200000,"last":1735828260500,"failures":3})");
  // 877 km in half an hour, by the spherical law of cosines.
  CHECK(alert_text(impossible_travel{"a", 0, 1'800'000'000'000, {52.52, 13.405}, {48.8566, 2.3522}}) ==
        R"({"alert":"impossible_travel","account":"a","left":0,"arrived":1800000,"from":{"latitude":52.52,"longitude":13.405},)"
        R"("to":{"latitude":48.8566,"longitude":2.3522},"km":877,"km_per_hour":1755})");
  CHECK(alert_text(impossible_travel{"a", -1'000'000, -1'000'000, {0, 0}, {-33.5, 180}}) ==
        R"({"alert":"impossible_travel","account":"a","left":-1,"arrived":-1,"from":{"latitude":0,"longitude":0},)"
        R"("to":{"latitude":-33.5,"longitude":180},"km":16290,"km_per_hour":null})");
}

TEST_CASE("every alert begins as it is announced") {
  CHECK(alert_text(failed_logins{}).starts_with(alert_beginning));
  CHECK(alert_text(impossible_travel{}).starts_with(alert_beginning));
}
