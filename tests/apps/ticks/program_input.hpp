#pragma once

#include "program.hpp"

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ticks::test {

/// Whether there is a program to run; else the test is reported as skipped.
inline bool ready() { return binary() || !weir::test::skip("WEIR_TICKS_BINARY names no program"); }

/// A line of NDJSON; `time` in ms.
inline std::string line(int id, std::string const& price, std::string const& size, long time, std::string const& symbol = "A") {
  return R"({"symbol":")" + symbol + R"(","trade_id":)" + std::to_string(id) + R"(,"price":")" + price + R"(","size":")" + size +
         R"(","time":)" + std::to_string(time) + "}\n";
}

/// Two minutes of one symbol; bars by hand.
inline std::string const good =
    line(1, "10.0", "1", 60'000) + line(2, "12.5", "2", 61'000) + line(3, "11.0", "4", 119'999) + line(4, "9.0", "8", 120'000);
inline std::vector<std::string> const good_bars{"A,120000,9.0,9.0,9.0,9.0,8,1", "A,60000,10.0,12.5,10.0,11.0,7,3"};

/// `text` as a gzip file.
inline std::string gzip(std::string const& text) {
  std::string out(text.size() + 1'000, '\0');
  z_stream z{};
  REQUIRE(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

/// Runs the program over a file, into the bars `b`.
inline ending bars_of(weir::test::temporary_folder const& folder, std::string const& file, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--input", file, "--bars", "b"});
  return run_program(more, folder.path());
}

/// The line in which a run says, at its start, what its pipeline promises.
inline std::string promise(std::string const& err) {
  std::string const line = err.substr(0, err.find('\n') + 1);
  return line.starts_with("ticks: application: bars ") ? line : std::string();
}

/// A failure is one line that begins with the program's name, behind what the pipeline promises if it got there, and exit code 1.
inline void check_failure(ending const& e) {
  INFO(e.err);
  CHECK(e.exit_code == 1);
  std::string const failure = e.err.substr(promise(e.err).size());
  CHECK(std::count(failure.begin(), failure.end(), '\n') == 1);
  CHECK_THAT(failure, Catch::StartsWith("ticks: "));
  CHECK(failure.size() < 600);
}

}  // namespace ticks::test
