#include <progress_text.hpp>

#include "support/catch.hpp"

using namespace ticks;

TEST_CASE("large numbers are grouped in threes") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'000) == "1,000");
  CHECK(grouped(1'234'567) == "1,234,567");
}

TEST_CASE("bytes are shown in a unit that fits") {
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1'500) == "1.5 kB");
  CHECK(bytes_text(999'960) == "1.0 MB");
  CHECK(bytes_text(2'500'000'000) == "2.5 GB");
}

TEST_CASE("a progress line has a bar where the end is known, and fits the terminal") {
  progress_figures f;
  f.records = 500'000;
  f.rate = 2'000'000;
  f.event_time = 1723161255342000000;
  f.open = 20;
  f.done = 500'000;
  f.total = 1'000'000;
  CHECK(progress_text(f, 200) ==
        "[###############...............]  50% 500,000 ticks  2,000,000/s  lag 500,000  in open bars 20  at 2024-08-08 23:54:15");
  CHECK(progress_text(f, 90) == "500,000 ticks  2,000,000/s  lag 500,000  in open bars 20  at 2024-08-08 23:54:15");
  CHECK(progress_text(f, 20) == "500,000 ticks  2,000");
  f.total.reset();
  CHECK(progress_text(f, 200) == "500,000 ticks  2,000,000/s  in open bars 20  at 2024-08-08 23:54:15");
  f.bytes = true;
  f.total = 2'500'000;
  CHECK(progress_text(f, 100).find("lag 2.0 MB") != std::string::npos);
}
