#include <totals.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <command_line/event_loop.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace payments;

namespace {

constexpr weir::instant a_minute = 60'000'000'000;

// The n-th commit of the checkpoint `of`, with rows.
weir::checkpoint_update commit_of(std::uint64_t n, std::shared_ptr<weir::store_write> rows) {
  std::vector<std::shared_ptr<weir::store_write>> writes{std::move(rows)};
  return {weir::checkpoint_head(weir::position(n), 0, n, "test"), {}, std::move(writes)};
}
void put(totals& to, std::uint64_t n, std::vector<window_sum> sums) {
  command_line::event_loop().run(to.checkpoints()->commit({"test", "input", "0"}, commit_of(n, to.sink().write(std::move(sums)))));
}
std::vector<window_sum> all(totals const& of) { return command_line::event_loop().run(of.read()); }
std::unique_ptr<totals> open(std::string const& file, std::string pipeline) {
  return command_line::event_loop().run(totals::open({command_line::store_kind::sqlite, file}, std::move(pipeline)));
}

}  // namespace

TEST_CASE("in a file, the last word on a window replaces what was said before, and is there for the next run") {
  weir::test::temporary_folder const folder;
  {
    auto const t = open(folder.file("t"), "a per 1m");
    CHECK(all(*t).empty());
    put(*t, 1, {{"shop-b", 0, {1, cents(500)}}, {"shop-a", a_minute, {2, cents(-250)}}});
    put(*t, 2, {{"shop-b", 0, {2, cents(10'500)}}});
  }
  auto const again = open(folder.file("t"), "a per 1m");
  CHECK(all(*again) == std::vector<window_sum>{{"shop-a", a_minute, {2, cents(-250)}}, {"shop-b", 0, {2, cents(10'500)}}});
  CHECK(all(*open(folder.file("t"), "a per 1h")).empty());  // of other windows, or of another input
}

TEST_CASE("in memory, they are given as they were said") {
  totals t;
  put(t, 1, {{"shop-b", 0, {1, cents(500)}}});
  put(t, 2, {{"shop-b", 0, {2, cents(10'500)}}});
  CHECK(all(t) == std::vector<window_sum>{{"shop-b", 0, {1, cents(500)}}, {"shop-b", 0, {2, cents(10'500)}}});
}
