// Sessions of which several things are said: late elements, early results, and what is taken back.
#include <weir/operators/session_window.hpp>

#include "operators/session_support.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Without disorder that is allowed for: the watermark is 1 ns behind the highest time.
template <class Late, class Emission = emit::final> std::string in_order(std::string const& line, Late late, Emission e = Emission()) {
  return sessions_of(line, 0ns, std::move(late), std::move(e));
}

}  // namespace

//      0         10        20        30
//   a  x---------)                   |         has fired
//   b                                x (w: 29)
//   a       5---------)                        its own session has passed too
//   a                  19--------)             so has this one's, just so; that of the next has not
TEST_CASE("an element that joins no session, and whose own would have fired, is late") {
  ledger books;
  std::vector<std::string> missed;
  auto const set_aside = [&missed](event const& e, lateness const& l) {
    missed.push_back(text(e) + " " + text(l.window) + " w" + std::to_string(l.watermark));
  };
  auto out = in_time(feed(events("a0 b30 a5 a19 a20")), 0ns) | key_by(&event::key) | session_window(10ns, late::side_output(set_aside)) |
             aggregate(count()).counted_in(books, "all");
  CHECK(in_a_line(all_of(as_said(std::move(out)))) == "a[0,10)=1 a[20,30)=1 b[30,40)=1");
  CHECK(missed == std::vector<std::string>{"a5 [5,15) w29", "a19 [19,29) w29"});
  CHECK(text(books.sum("all")) == "in 5 = out 3 + late 2");
  CHECK(in_order("a0 b30 a5 a19 a20", late::drop()) == "a[0,10)=1 a[20,30)=1 b[30,40)=1");
}

//      0         10        20        30
//   b                      x (w: 19)
//   a  x---------)         |                   has fired
//   a              12---------)                behind the watermark, not late: its session is not over
//   a       5---------)    |                   late
TEST_CASE("an element that is behind the watermark by less than the gap is not late") {
  CHECK(in_order("a0 b20 a12", late::drop()) == "a[0,10)=1 a[12,22)=1 b[20,30)=1");
  CHECK(in_order("a0 b20 a10", late::drop()) == "a[0,10)=1 a[10,20)=1 b[20,30)=1");
  CHECK(in_order("a0 b20 a9", late::drop()) == "a[0,10)=1 b[20,30)=1");
}

//      10        20        30      38
//   a            x-------x---------)           is open
//   b                           x (35: w 34)
//   a    12--------)                           would be late, but joins it
TEST_CASE("an element that joins an open session is not late, however old it is") {
  CHECK(in_order("a20 a28 b35 a12", late::drop()) == "a[12,38)=3 b[35,45)=1");
}

//      0         10   16
//   a  x---------)    |                        has fired
//   b                 x (w: 15)
//   a          8---------)                     was part of it; what has fired stays as it was said
TEST_CASE("a session that has fired is gone, and an element that it would have had begins its own") {
  CHECK(in_order("a0 b16 a8", late::drop()) == "a[0,10)=1 a[8,18)=1 b[16,26)=1");
}

//      0         10   16
//   a  x---------)    |                        has fired
//   b                 x (w: 15)
//   a    3--------)   |                        makes it [0, 13), which has passed too
TEST_CASE("a session that is kept for late elements fires again at once when one joins it") {
  CHECK(in_order("a0 b16 a3", late::update(20ns)) == "a[0,10)=1 -a[0,10) a[0,13)=2/late1 b[16,26)=1");
  CHECK(in_order("a0 a5 b20 a2", late::update(20ns)) == "a[0,15)=2 a[0,15)=3/late1 b[20,30)=1");
}

//      0         10   16        26   30
//   a  x---------)    |                        has fired
//   b                 x---------)    x (w: 29)
//   a          8---------)                     it ends at 18, ahead of the watermark
TEST_CASE("a session that has fired and grows beyond the watermark fires when that reaches its new end") {
  CHECK(in_order("a0 b16 a8 b30", late::update(50ns)) == "a[0,10)=1 -a[0,10) a[0,18)=2/on_time1 b[16,26)=1 b[30,40)=1");
  // ... and is kept on from there: to 18 + 50.
  CHECK(in_order("a0 b16 a8 b68 a1", late::update(50ns)) == "a[0,10)=1 -a[0,10) a[0,18)=2/on_time1 b[16,26)=1 a[0,18)=3/late2 b[68,78)=1");
  CHECK(in_order("a0 b16 a8 b69 a1", late::update(50ns)) == "a[0,10)=1 -a[0,10) a[0,18)=2/on_time1 b[16,26)=1 b[69,79)=1");
}

//      0         10        20   25   30        w: 29 when b30 has come
//   a       5---------)              |         nothing there to join: within 20 of its end it fires with its first element
TEST_CASE("an element behind its own end, yet within the allowed lateness, is a late session") {
  CHECK(in_order("b30 a5", late::update(20ns)) == "a[5,15)=1/late0 b[30,40)=1");
  CHECK(in_order("b35 a5", late::update(20ns)) == "a[5,15)=1/late0 b[35,45)=1");
  CHECK(in_order("b36 a5", late::update(20ns)) == "b[36,46)=1");
  ledger books;
  std::vector<std::string> missed;
  auto const set_aside = [&missed](event const& e) { missed.push_back(text(e)); };
  auto out = in_time(feed(events("b36 a5 a6")), 0ns) | key_by(&event::key) |
             session_window(10ns, late::update(20ns, late::side_output(set_aside))) | aggregate(count()).counted_in(books, "all");
  CHECK(in_a_line(all_of(as_said(std::move(out)))) == "a[6,16)=1/late0 b[36,46)=1");
  CHECK(missed == std::vector<std::string>{"a5"});
  CHECK(text(books.sum("all")) == "in 3 = out 2 + late 1");
}

//      0         10   16 18        28
//   a  x---------)    |  x---------)           the first has fired, the second has not
//   b                 x (w: 15)
//   a         9                                joins both
TEST_CASE("an element that joins a session that has fired with one that has not makes one that has not") {
  CHECK(in_order("a0 b16 a18 a9", late::update(20ns)) == "a[0,10)=1 b[16,26)=1 -a[0,10) a[0,28)=3/on_time1");
  CHECK(in_order("a18 b16 a0 a9 b40", late::update(20ns)) == "a[0,10)=1/late0 b[16,26)=1 -a[0,10) a[0,28)=3/on_time1 b[40,50)=1");
}

//      0         10  12        22    30
//   a  x---------)   x---------)     |         both have fired
//   b                                x (w: 29)
//   a        6                                 joins both: what was said of each is taken back
TEST_CASE("two sessions that have fired and become one are both taken back, and revisions go on from the higher") {
  CHECK(in_order("a0 a12 b30 a6", late::update(20ns)) == "a[0,10)=1 a[12,22)=1 -a[0,10) -a[12,22) a[0,22)=3/late1 b[30,40)=1");
  CHECK(in_order("a0 a12 b30 a13 a14 a6", late::update(20ns)) ==
        "a[0,10)=1 a[12,22)=1 -a[12,22) a[12,23)=2/late1 -a[12,23) a[12,24)=3/late2 -a[0,10) -a[12,24) a[0,24)=5/late3 b[30,40)=1");
}

TEST_CASE("elements of a session that has fired stay counted as out when it grows") {
  ledger books;
  auto const run = [&](std::string const& line) {
    auto out = in_time(feed(events(line)).stops(), 0ns) | key_by(&event::key) | session_window(10ns, late::update(20ns)) |
               aggregate(count()).counted_in(books, "all");
    (void)all_of(as_said(std::move(out)));
    return text(books.sum("all"));
  };
  CHECK(run("a0 b16") == "in 2 = out 1 + open 1");
  CHECK(run("a0 b16 a3") == "in 3 = out 2 + open 1");
  CHECK(run("a0 b16 a8") == "in 3 = out 1 + open 2");
  CHECK(run("a0 b16 a8 b30") == "in 4 = out 3 + open 1");
  CHECK(run("a0 b16 a18 a9 b40") == "in 5 = out 4 + open 1");
}

//      0    5    10   15
//   a  x---------)                             first result
//   a  x----x---------)                        another window: the first is taken back
//   a  x----x---------)                        the same window, replaced
TEST_CASE("sessions with a result for each element take back the windows they have outgrown") {
  CHECK(in_order("a0 a5 a5", late::drop(), emit::on_each()) ==
        "a[0,10)=1/early0 -a[0,10) a[0,15)=2/early1 a[0,15)=3/early2 a[0,15)=3/on_time3");
  CHECK(sessions_of("a0 a12 a6", 100ns, late::drop(), emit::on_each()) ==
        "a[0,10)=1/early0 a[12,22)=1/early0 -a[0,10) -a[12,22) a[0,22)=3/early1 a[0,22)=3/on_time2");
}

//      1    5    10   15   20    26            watermarks 0 7 11 15
//   a  x-------x--------)                      at 5, with what had come: [1, 18)
//   b             x---------)                  at 10
//   a  x-------x------x--x---------)           at 15
TEST_CASE("sessions with early results give them when the watermark passes a multiple of the period, if they have changed") {
  CHECK(in_order("a1 a8 b12 a15 a16", late::drop(), emit::early(5ns)) ==
        "a[1,18)=2/early0 b[12,22)=1/early0 -a[1,18) a[1,26)=4/early1 b[12,22)=1/on_time1 a[1,26)=4/on_time2");
  // Of several, those that end first come first, behind those that fire.
  CHECK(sessions_of("a1 c3 b2 c200", 100ns, late::drop(), emit::early(90ns)) ==
        "a[1,11)=1 b[2,12)=1 c[3,13)=1 c[200,210)=1/early0 c[200,210)=1/on_time1");
  CHECK(sessions_of("a95 c93 b94 c93 c191", 100ns, late::drop(), emit::early(90ns)) ==
        "c[93,103)=2/early0 b[94,104)=1/early0 a[95,105)=1/early0 c[191,201)=1/early0 c[93,103)=2/on_time1 b[94,104)=1/on_time1 "
        "a[95,105)=1/on_time1 c[191,201)=1/on_time1");
}

//      0         10  12        22
//   a  x---------)   x---------)               early results at -10, when a12 has come (w: -9)
//   a        6                                 joins both
//   a  x-----x-------x---------)               early result at 10, when b32 has come (w: 11)
TEST_CASE("what was said of sessions that have become one is all taken back with the next early result") {
  CHECK(sessions_of("a0 a12 b21 a6 b32", 20ns, late::drop(), emit::early(10ns)) ==
        "a[0,10)=1/early0 a[12,22)=1/early0 b[21,31)=1/early0 -a[0,10) -a[12,22) a[0,22)=3/early1 b[32,42)=1/early0 "
        "a[0,22)=3/on_time2 b[21,31)=1/on_time1 b[32,42)=1/on_time1");
}

TEST_CASE("a retraction carries the value of no elements and the time of its window, and nothing is said of that window again") {
  auto out = in_time(feed(events("a0=5 a5=6")), 0ns) | key_by(&event::key) | session_window(10ns, late::drop(), emit::on_each()) |
             aggregate(count());
  using result = window_result<std::string, std::uint64_t>;
  auto const all = all_of(stream<result>(std::move(out)));
  REQUIRE(all.size() == 4);
  CHECK_FALSE(is_retraction(all[0]));
  CHECK(is_retraction(all[1]));
  CHECK(all[1].key == "a");
  CHECK(all[1].window == time_window(0, 10));
  CHECK(all[1].value == 0);
  CHECK(all[1].pane == pane::early);
  CHECK(all[1].revision > all[0].revision);  // a sink that keeps the highest revision of each window ends with it
  CHECK_FALSE(is_retraction(all[2]));
}
