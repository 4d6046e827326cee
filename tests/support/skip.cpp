#include "skip.hpp"

#include "catch.hpp"

#include <iostream>

namespace weir::test {

bool skip(std::string_view reason) {
  std::cout << "SKIPPED: " << Catch::getResultCapture().getCurrentTestName() << ": " << reason << std::endl;
  return true;
}

}  // namespace weir::test
