#include <weir/file/options.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <cmath>
#include <functional>
#include <limits>

using namespace weir;
using weir::test::fails_with;

namespace {

file::options good() { return {.paths = {"a", "b"}, .format = file::format::csv, .fields = {"x"}, .optional_fields = {"y"}}; }

void refused(std::function<void(file::options&)> change, std::string_view what) {
  file::options o = good();
  change(o);
  fails_with(errc::invalid_option, [&] { o.check(); }, "file: cannot use", what);
}

instant zero(file::record const&) { return 0; }

}  // namespace

TEST_CASE("usable options are accepted") { CHECK_NOTHROW(good().check()); }

TEST_CASE("unusable options are refused by name") {
  using o = file::options;
  refused([](o& x) { x.paths.clear(); }, "paths");
  refused([](o& x) { x.paths = {"a", "b", "a"}; }, "\"a\" is given twice");
  refused([](o& x) { x.paths = {""}; }, "paths");
  refused([](o& x) { x.optional_fields = {"x"}; }, "\"x\" is given twice");
  refused([](o& x) { x.format = file::format::lines; }, "plain lines have none");
  refused(
      [](o& x) {
        x.fields.clear();
        for (int i = 0; i < 65; ++i) x.fields.push_back(std::to_string(i));
      },
      "at most 64");
  refused([](o& x) { x.delimiter = '"'; }, "delimiter");
  refused([](o& x) { x.delimiter = '\n'; }, "delimiter");
  refused([](o& x) { x.delimiter = '\xe9'; }, "delimiter");
  refused([](o& x) { x.delimiter = '\0'; }, "delimiter");
  refused([](o& x) { x.format = file::format::ndjson, x.columns = {"x"}; }, "columns");
  refused([](o& x) { x.max_line = 0; }, "max_line");
  refused([](o& x) { x.max_line = (std::size_t(256) << 20) + 1; }, "max_line");
  refused([](o& x) { x.block_size = 4095; }, "block_size");
  refused([](o& x) { x.follow.emplace().poll = {}; }, "follow.poll");
  refused([](o& x) { x.replay.emplace(); }, "replay.time");
  for (double const speed : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    refused([speed](o& x) { x.replay = file::replay_options{.time = zero, .speed = speed}; }, "replay.speed");
  }
}

TEST_CASE("the format follows from the name") {
  using enum file::format;
  CHECK(file::format_of("a/b.csv") == csv);
  CHECK(file::format_of("b.csv.gz") == csv);
  CHECK(file::format_of("b.ndjson") == ndjson);
  CHECK(file::format_of("b.jsonl.gz") == ndjson);
  CHECK(file::format_of("b.log") == lines);
  CHECK(file::format_of("csv") == lines);
}
