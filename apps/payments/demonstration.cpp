#include "demonstration.hpp"

namespace payments {

std::vector<payment> demonstration() {
  constexpr weir::instant begin = 1'735'828'200'000'000'000;  // 2025-01-02 14:30 UTC
  auto const at = [](int minute, int second) { return begin + (minute * 60 + second) * weir::instant(1'000'000'000); };
  return {
      {"pay-101", "shop-a", cents(19'90), at(0, 5)},    //
      {"pay-102", "shop-b", cents(5'00), at(0, 20)},    //
      {"pay-103", "shop-a", cents(10), at(0, 15)},      // out of order
      {"pay-102", "shop-b", cents(5'00), at(0, 20)},    // again
      {"pay-104", "shop-a", cents(30'00), at(0, 58)},   //
      {"pay-105", "shop-b", cents(7'25), at(1, 4)},     // up to 0:54 is complete now
      {"pay-106", "shop-a", cents(10'00), at(0, 55)},   // just in time
      {"pay-107", "shop-a", cents(2'50), at(1, 30)},    // the first minute is over
      {"pay-108", "shop-b", cents(100'00), at(0, 40)},  // late
      {"pay-107", "shop-a", cents(2'50), at(1, 30)},    // again
      {"pay-109", "shop-b", cents(4'75), at(1, 45)},    //
      {"pay-104", "shop-a", cents(30'00), at(0, 58)},   // again, and its minute is over
  };
}

}  // namespace payments
