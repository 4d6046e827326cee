#include <weir/ledger.hpp>

#include "support/catch.hpp"

using namespace weir;

TEST_CASE("a tally is balanced when everything that went in is somewhere", "[framework]") {
  tally t;
  CHECK(t.balanced());
  t.in = 15;
  CHECK_FALSE(t.balanced());
  t.out = 1;
  t.late = 2;
  t.duplicate = 3;
  t.dead = 4;
  t.open = 5;
  CHECK(t.balanced());
}

TEST_CASE("tallies add up place by place", "[framework]") {
  tally a, b;
  a.in = 15;
  a.out = 1;
  a.late = 2;
  a.duplicate = 3;
  a.dead = 4;
  a.open = 5;
  b.in = b.out = 7;
  a += b;
  CHECK(a.in == 22);
  CHECK(a.out == 8);
  CHECK(a.late == 2);
  CHECK(a.duplicate == 3);
  CHECK(a.dead == 4);
  CHECK(a.open == 5);
  CHECK(a.balanced());
}

TEST_CASE("books have zeros under names that nobody counts under", "[framework]") {
  ledger const books;
  CHECK(books.sum("bars") == tally());
  CHECK(books.all().empty());
}

TEST_CASE("what several operators count under one name adds up", "[framework]") {
  ledger books;
  auto const dedup = books.open("bars", "dedup"), window = books.open("bars", "window"), other = books.open("hits", "window");
  dedup->in = dedup->duplicate = 2;
  window->in = window->open = 3;
  other->in = other->late = 1;
  CHECK(books.sum("bars").in == 5);
  CHECK(books.sum("bars").balanced());
  auto const all = books.all();
  REQUIRE(all.size() == 2);
  CHECK(all.at("bars") == books.sum("bars"));
  CHECK(all.at("hits").late == 1);
}

TEST_CASE("copies share the books", "[framework]") {
  ledger books, copy = books;
  auto const window = copy.open("bars", "window");
  window->in = window->out = 1;
  CHECK(books.sum("bars").out == 1);
}

TEST_CASE("operators of one kind that live beside each other, as those of partitions do, all count", "[framework]") {
  ledger books;
  auto const first = books.open("bars", "window"), second = books.open("bars", "window");
  first->in = first->out = 1;
  second->in = second->open = 2;
  CHECK(books.sum("bars").in == 3);
}

TEST_CASE("what an operator that is gone has counted stays, until one takes its place", "[framework]") {
  ledger books;
  auto const lives = books.open("bars", "window");
  lives->in = lives->out = 1;
  auto gone = books.open("bars", "window");
  gone->in = gone->out = 10;
  gone.reset();
  CHECK(books.sum("bars").in == 11);
  auto const again = books.open("bars", "window");
  CHECK(books.sum("bars").in == 1);
  again->in = again->late = 4;
  CHECK(books.sum("bars").in == 5);
}
