// Events for the tests of operators on time, written as they come: "a1 b5 a2=7" is key, event time in ns, and value (default 1).
#pragma once
#include <weir/codec.hpp>
#include <weir/explanation.hpp>
#include <weir/instant.hpp>
#include <weir/ledger.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/time_window.hpp>

#include "operators/support.hpp"

#include <chrono>
#include <cstdint>
#include <sstream>

namespace weir::test {

using namespace std::chrono_literals;
using ns = std::chrono::nanoseconds;

struct event {
  event(std::string k, instant t, int v = 1) : key(std::move(k)), time(t), value(v) {}
  std::string key;
  instant time;
  int value;
};
inline std::vector<event> events(std::string const& line) {
  std::vector<event> out;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    auto const digits = word.find_first_of("-0123456789"), equals = word.find('=');
    out.emplace_back(word.substr(0, digits), std::stoll(word.substr(digits)));
    if (equals != std::string::npos) out.back().value = std::stoi(word.substr(equals + 1));
  }
  return out;
}
inline std::string text(event const& e) { return e.key + std::to_string(e.time); }

/// The windows' inputs with a watermark `bound` + 1 ns behind the highest time.
inline auto in_time(stream<event> s, ns bound) { return std::move(s) | event_time(&event::time, bounded_disorder(bound)); }
inline auto in_time(feed<event> const& f, ns bound) { return in_time(f.open(), bound); }

inline std::string time_text(instant t) { return t == start_of_time ? "start" : t == end_of_time ? "end" : std::to_string(t); }
inline std::string text(no_key) { return ""; }
inline std::string text(time_window w) { return "[" + time_text(w.start) + "," + time_text(w.end) + ")"; }
/// `a[0,10)=2`; of another pane or revision than on time and 0: `a[0,10)=2/early0`.
template <class K, class R> std::string text(window_result<K, R> const& r) {
  std::string out = text(r.key) + text(r.window) + "=" + text(r.value);
  char const* const panes[] = {"/early", "/on_time", "/late"};
  if (r.pane != pane::on_time || r.revision != 0) out += panes[static_cast<int>(r.pane)] + std::to_string(r.revision);
  return out;
}
/// Results as texts, which can be compared and shown.
template <class Chain> stream<std::string> as_text(Chain chain) {
  return std::move(chain) | map([](auto const& r) { return text(r); });
}

inline std::string in_a_line(std::vector<std::string> const& words) {
  std::string out;
  for (std::string const& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}
/// All that comes out of `make(feed)`, which must be the same for every chunking: then it is returned, else the runs are shown.
template <class T, class Make> std::string same_for_all_chunkings(std::vector<T> const& input, Make make) {
  std::vector<std::string> runs;
  for (std::size_t const n : chunkings) runs.push_back(in_a_line(all_of(as_text(make(feed<T>(input).chunks(n).open())))));
  for (std::string const& run : runs) CHECK(run == runs.front());
  return runs.front();
}

/// An accumulator whose state holds one `tracked` per element, so that states which are forgotten show in `tracked::alive`.
struct keeps {
  struct state {
    std::vector<tracked> elements;
  };
  template <class T> void add(state& s, T const&, instant t) const { s.elements.emplace_back(static_cast<int>(t)); }
  void merge(state& s, state const& o) const { s.elements.insert(s.elements.end(), o.elements.begin(), o.elements.end()); }
  std::uint64_t result(state const& s) const { return s.elements.size(); }
};

/// After `results` results (or all): why the windows that are open are so.
template <class T> task<explanation> explained_after(std::size_t results, stream<T> s) {
  for (; results != 0; --results) {
    auto const* const x = co_await s.next();
    if (!x) break;
  }
  co_return s.explain();
}

/// `in 5 = out 3 + late 1 + open 1`; what is 0 is left out. Fails the test when the sum is wrong.
inline std::string text(tally const& t) {
  CHECK(t.balanced());
  std::string out = "in " + std::to_string(t.in), sign = " = ";
  auto const part = [&](char const* name, std::uint64_t n) {
    if (n == 0) return;
    out += sign + name + " " + std::to_string(n);
    sign = " + ";
  };
  part("out", t.out);
  part("late", t.late);
  part("duplicate", t.duplicate);
  part("dead", t.dead);
  part("open", t.open);
  return out;
}

}  // namespace weir::test

template <> struct weir::codec<weir::test::keeps::state> {
  static void encode(weir::test::keeps::state const& s, std::vector<std::byte>& to) {
    std::vector<int> values;
    for (auto const& x : s.elements) values.push_back(x.value());
    encode_state(values, to);
  }
  static weir::test::keeps::state decode(std::span<std::byte const>& from) {
    weir::test::keeps::state s;
    for (int const v : decode_part<std::vector<int>>(from)) s.elements.emplace_back(v);
    return s;
  }
};
