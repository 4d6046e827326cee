#include <weir/fused_stream.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace weir;

namespace {

class noted_barrier final : public barrier {
public:
  explicit noted_barrier(std::string& log) : log_(log) {}

private:
  void on_complete() noexcept override { log_ += "done "; }
  std::string& log_;
};

// idle w10 1 2 w20 w25 3 4 | 5
stream<int> with_marks(noted_barrier& cut) {
  co_yield mark::idle();
  std::vector<int> elements{1, 2, 3, 4};
  std::vector<mark> marks{mark::watermark(10), mark::watermark(20), mark::watermark(25)};
  marks[0].at = 0;
  marks[1].at = marks[2].at = 2;
  co_yield chunk<int>(elements, nullptr, marks);
  co_yield mark::barrier(cut);
  co_yield 5;
}

task<std::string> show(stream<int> s) {
  std::string shown;
  while (chunk<int> c = co_await next_chunk(s)) {
    std::size_t next = 0;
    for (std::size_t i = 0; i <= c.elements.size(); ++i) {
      for (; next < c.marks.size() && c.marks[next].at == i; ++next) {
        mark const& m = c.marks[next];
        if (m.kind == mark_kind::watermark) shown += "w" + std::to_string(m.time) + " ";
        if (m.kind == mark_kind::idle) shown += "idle ";
        if (m.kind == mark_kind::barrier) shown += "| ";
        if (m.kind == mark_kind::stop) shown += "stop ";
      }
      if (i < c.elements.size()) shown += std::to_string(c.elements[i]) + " ";
    }
  }
  co_return shown;
}

stream<int> plain_generator(stream<int> s) {
  while (int* x = co_await s.next()) co_yield int(*x * 10);
}

// Hands everything on; stands for any stage.
struct pass_stage : forwards_marks {
  explicit pass_stage(int skip) : skip(skip) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) { return x == skip ? true : down.element(x, t); }
  int skip;
};
auto without(int x) { return simple_stage<pass_stage, unchanged>(pass_stage(x)); }

}  // namespace

TEST_CASE("marks keep their place between elements", "[framework][marks]") {
  std::string log;
  noted_barrier cut(log);
  CHECK(testing::run(show(with_marks(cut))) == "idle w10 1 2 w20 w25 3 4 | 5 ");
  CHECK(log.empty());  // whoever takes marks answers for them
}

TEST_CASE("fused stages keep marks in place and coalesce watermarks that meet", "[framework][marks]") {
  std::string log;
  noted_barrier cut(log);
  auto chain = with_marks(cut) | without(1) | without(99);
  CHECK(testing::run(show(std::move(chain))) == "idle w10 2 w25 3 4 | 5 ");
}

TEST_CASE("next() hides marks, and a barrier is complete exactly when it is pulled past", "[framework][marks]") {
  auto body = [](bool fused) -> task<> {
    std::string log;
    noted_barrier cut(log);
    stream<int> s = with_marks(cut);
    if (fused) s = std::move(s) | without(99);
    for (int i = 1; i <= 4; ++i) {
      int* x = co_await s.next();
      REQUIRE(x);
      CHECK(*x == i);
      CHECK(log.empty());
    }
    int* five = co_await s.next();
    REQUIRE(five);
    CHECK(*five == 5);
    CHECK(log == "done ");
    auto* const end1 = co_await s.next();
    CHECK(end1 == nullptr);
    CHECK(log == "done ");
  };
  testing::run(body(false));
  testing::run(body(true));
}

TEST_CASE("a generator that does not know of marks carries barriers on, before what it yields next; time ends at it",
          "[framework][marks]") {
  std::string log;
  noted_barrier cut(log);
  CHECK(testing::run(show(plain_generator(with_marks(cut)))) == "10 20 30 40 | 50 ");
}

TEST_CASE("a barrier behind the last element reaches the consumer through a generator and through stages", "[framework][marks]") {
  auto source = [](noted_barrier& b) -> stream<int> {
    co_yield 1;
    co_yield mark::barrier(b);
  };
  for (int way = 0; way != 3; ++way) {
    std::string log;
    noted_barrier cut(log);
    auto body = [&]() -> task<> {
      stream<int> s = source(cut);
      if (way == 1) s = plain_generator(std::move(s));
      if (way == 2) s = std::move(s) | without(1);
      while (co_await s.next()) CHECK(log.empty());
    };
    testing::run(body());
    CHECK(log == "done ");
  }
}

TEST_CASE("a chunk may be moved between pulls with its marks", "[framework][marks]") {
  std::string log;
  noted_barrier cut(log);
  auto body = [&]() -> task<std::string> {
    auto chain = with_marks(cut) | without(1);
    int* first = co_await chain.next();
    CHECK(*first == 2);
    auto moved = std::move(chain);
    std::string rest;
    while (int* x = co_await moved.next()) rest += std::to_string(*x);
    co_return rest;
  };
  CHECK(testing::run(body()) == "345");
  CHECK(log == "done ");
}
