#include <bar_book.hpp>

#include "support/catch.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace ticks;

namespace {

// Rows in memory, keyed like the table.
class memory_rows final : public bar_rows {
public:
  std::optional<keyed_bar> newest(symbol const& name) override {
    std::optional<keyed_bar> found;
    for (auto const& [key, state] : rows)
      if (key.first == name.view()) {
        keyed_bar row;
        row.name = name;
        row.start = key.second;
        row.state = state;
        found = row;
      }
    return found;
  }
  std::optional<bar_state> find(symbol const& name, std::int64_t start) override {
    ++finds;
    auto const place = rows.find({std::string(name.view()), start});
    if (place == rows.end()) return std::nullopt;
    return place->second;
  }
  std::map<std::pair<std::string, std::int64_t>, bar_state> rows;
  int finds = 0;
};

struct closing {
  std::string name;
  std::int64_t start;
  std::int64_t revision;
  std::uint64_t trades;
  friend bool operator==(closing const&, closing const&) = default;
};

struct fixture {
  memory_rows rows;
  bar_book book{60, rows};
  std::uint64_t next_position = 0;

  bool fold_at(std::uint64_t position, char const* name, std::int64_t time) {
    tick const t(symbol::from(name).value(), decimal(100 + time, 0), decimal(1, 0), trade_order{time, 0}, test_position(position));
    return book.of(t.name).fold(t);
  }
  bool fold(char const* name, std::int64_t time) { return fold_at(++next_position, name, time); }
  std::vector<closing> store() {
    std::vector<closing> closed;
    book.collect([&](symbol const& name, std::int64_t start, bar_state& state, bool just_closed) {
      rows.rows[{std::string(name.view()), start}] = state;
      if (just_closed) closed.push_back(closing{std::string(name.view()), start, state.revision, state.value.trades});
    });
    book.stored();
    return closed;
  }
  static weir::position test_position(std::uint64_t n) { return weir::position(n); }
};

}  // namespace

// windows of 60:  |0 . . . . |60 . . . |120
// A                 5 9        65
// B                            61 62
TEST_CASE_METHOD(fixture, "trades fold into the bar of their own window and symbol") {
  fold("A", 5);
  fold("B", 61);
  fold("A", 9);
  fold("A", 65);
  fold("B", 62);
  store();
  CHECK(rows.rows.size() == 3);
  CHECK(rows.rows.at({"A", 0}).value.trades == 2);
  CHECK(rows.rows.at({"A", 60}).value.trades == 1);
  CHECK(rows.rows.at({"B", 60}).value.trades == 2);
}

TEST_CASE_METHOD(fixture, "a bar closes when a batch has a later window of its symbol, once") {
  fold("A", 5);
  CHECK(store().empty());
  fold("B", 70);
  CHECK(store().empty());
  fold("A", 65);
  CHECK(store() == std::vector<closing>{{"A", 0, 1, 1}});
  fold("A", 66);
  CHECK(store().empty());
  fold("A", 200);
  CHECK(store() == std::vector<closing>{{"A", 60, 1, 2}});
}

TEST_CASE_METHOD(fixture, "a trade that comes after its bar closed makes the next revision") {
  fold("A", 5);
  fold("A", 65);
  CHECK(store() == std::vector<closing>{{"A", 0, 1, 1}});
  fold("A", 7);
  CHECK(store() == std::vector<closing>{{"A", 0, 2, 2}});
}

TEST_CASE_METHOD(fixture, "redelivered trades are skipped, bar by bar") {
  CHECK(fold_at(1, "A", 5));
  CHECK(fold_at(2, "B", 6));
  CHECK(fold_at(3, "A", 65));
  store();
  CHECK_FALSE(fold_at(1, "A", 5));
  CHECK_FALSE(fold_at(2, "B", 6));
  CHECK_FALSE(fold_at(3, "A", 65));
  CHECK(store().empty());
  CHECK(fold_at(4, "B", 7));
  store();
  CHECK(rows.rows.at({"A", 0}).value.trades == 1);
  CHECK(rows.rows.at({"B", 0}).value.trades == 2);
}

TEST_CASE_METHOD(fixture, "a book that forgot reads the rows and goes on as if it had not") {
  fold("A", 5);
  fold("A", 65);
  store();
  fold("A", 66);
  book.forget();
  CHECK(book.size() == 0);
  CHECK_FALSE(fold_at(2, "A", 65));
  CHECK(fold_at(4, "A", 67));
  CHECK(fold_at(5, "A", 8));
  CHECK(store() == std::vector<closing>{{"A", 0, 2, 2}});
  CHECK(rows.rows.at({"A", 60}).value.trades == 2);
}

TEST_CASE_METHOD(fixture, "an open bar left by an earlier run closes with a trade of a later window") {
  fold("A", 5);
  store();
  bar_book second(60, rows);
  tick const t(symbol::from("A").value(), decimal(7, 0), decimal(1, 0), trade_order{130, 0}, test_position(9));
  CHECK(second.of(t.name).fold(t));
  std::vector<std::int64_t> closed;
  second.collect([&](symbol const&, std::int64_t start, bar_state&, bool just_closed) {
    if (just_closed) closed.push_back(start);
  });
  CHECK(closed == std::vector<std::int64_t>{0});
}

TEST_CASE("a book keeps the newest bars only, of a bounded number of symbols") {
  fixture f;
  for (int minute = 0; minute != 1'000; ++minute) {
    f.fold("A", minute * 60);
    if (minute % 10 == 9) f.store();
  }
  CHECK(f.book.size() == 1);

  memory_rows rows;
  bar_book small(60, rows, 100);
  for (int i = 0; i != 1'000; ++i) {
    tick const t(symbol::from("S" + std::to_string(i)).value(), decimal(7, 0), decimal(1, 0), trade_order{5, 0}, fixture::test_position(1));
    small.of(t.name).fold(t);
    small.collect([](symbol const&, std::int64_t, bar_state&, bool) {});
    small.stored();
    REQUIRE(small.size() <= 100);
  }
}

TEST_CASE_METHOD(fixture, "a volume that does not fit names the symbol and the window") {
  auto const huge = decimal::parse("99999999999999999999999999999999999999").value();
  tick const t(symbol::from("A").value(), decimal(7, 0), huge, trade_order{5, 0}, test_position(1));
  book.of(t.name).fold(t);
  CHECK_THROWS_WITH(fold_at(2, "A", 6), Catch::Contains("symbol A, window 1970-01-01 00:00:00"));
}
