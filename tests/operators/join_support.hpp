// Joins in tests. What comes from the left and from the right, as it arrives: "<a1 >a3 <b5" is an event of key a at 1 on the left, one at
// 3 on the right, one of key b at 5 on the left. Joined: "a1+3"; alone: "a1+", "a+3".
#pragma once
#include <weir/operators/detail/as_of_join_stage.hpp>
#include <weir/operators/detail/interval_join_stage.hpp>
#include <weir/operators/detail/window_pairs_stage.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>

#include "operators/timed_support.hpp"

#include <variant>

namespace weir::test {

struct quote {
  explicit quote(event e) : key(std::move(e.key)), time(e.time), value(e.value) {}
  std::string key;
  instant time;
  int value;
};
using side = std::variant<event, quote>;
using pair_of_sides = weir::joined<std::string, event, quote>;

inline std::vector<side> sides(std::string const& line) {
  std::vector<side> out;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    event e = std::move(events(word.substr(1)).front());
    if (word.front() == '<') out.emplace_back(std::move(e));
    else out.emplace_back(quote(std::move(e)));
  }
  return out;
}
inline std::vector<event> left_of(std::string const& line) {
  std::vector<event> out;
  for (side& x : sides(line))
    if (auto* const e = std::get_if<0>(&x)) out.push_back(std::move(*e));
  return out;
}
inline std::vector<quote> right_of(std::string const& line) {
  std::vector<quote> out;
  for (side& x : sides(line))
    if (auto* const q = std::get_if<1>(&x)) out.push_back(std::move(*q));
  return out;
}

template <class E> std::string time_and_value(E const& e) {
  return std::to_string(e.time) + (e.value == 1 ? "" : "=" + std::to_string(e.value));
}
inline std::string text(quote const& q) { return q.key + std::to_string(q.time); }
inline std::string text(pair_of_sides const& p) {
  return p.key + (p.left ? time_and_value(*p.left) : "") + "+" + (p.right ? time_and_value(*p.right) : "");
}

inline auto in_time(stream<side> s, ns bound) {
  auto const time_of = [](side const& x) { return std::visit([](auto const& e) { return e.time; }, x); };
  return std::move(s) | event_time(time_of, bounded_disorder(bound));
}

inline detail::naming counted_in(ledger books) {
  detail::naming n;
  n.count_in(std::move(books), "join");
  return n;
}

/// The joins over both sides in one stream, so that a test says in which order they arrive.
template <class Late = late::drop>
auto pairs_within(stream<side> s, ns bound, interval i, join_kind kind, Late late = Late(), ledger books = ledger()) {
  using stage = detail::interval_join_stage<std::string, event, quote, std::string event::*, std::string quote::*, detail::late_side<Late>>;
  stage pairs(&event::key, &quote::key, i.lower(), i.upper(), kind, detail::late_side<Late>(std::move(late)), counted_in(std::move(books)));
  return in_time(std::move(s), bound).with(timed<pair_of_sides>(), std::move(pairs));
}
template <class Late = late::drop>
auto pairs_as_of(stream<side> s, ns bound, ns tolerance, join_kind kind, Late late = Late(), ledger books = ledger()) {
  using stage = detail::as_of_join_stage<std::string, event, quote, std::string event::*, std::string quote::*, detail::late_side<Late>>;
  stage pairs(&event::key, &quote::key, tolerance, kind, detail::late_side<Late>(std::move(late)), counted_in(std::move(books)));
  return in_time(std::move(s), bound).with(timed<pair_of_sides>(), std::move(pairs));
}
template <class Late = late::drop>
auto pairs_in_windows(stream<side> s, ns bound, ns size, join_kind kind, Late late = Late(), ledger books = ledger()) {
  detail::either_key<std::string event::*, std::string quote::*> key(&event::key, &quote::key);
  return detail::join_in_windows<event, quote>(in_time(std::move(s), bound), std::move(key), size, detail::late_side<Late>(std::move(late)),
                                               kind, counted_in(std::move(books)));
}

/// Takes late elements of both sides, as `<a5[3,8)w12`: where its partners would have been, and where the watermark was.
class lost_and_found {
public:
  explicit lost_and_found(std::vector<std::string>& to) : to_(&to) {}
  void operator()(event const& e, lateness const& l) const { note("<" + text(e), l); }
  void operator()(quote const& q, lateness const& l) const { note(">" + text(q), l); }

private:
  void note(std::string what, lateness const& l) const { to_->push_back(what + text(l.window) + "w" + std::to_string(l.watermark)); }
  std::vector<std::string>* to_;
};

/// Elements with event times of their own, which no event_time has seen.
inline stream<side> with_times(std::vector<side> elements, std::vector<instant> times) {
  chunk<side> const c(elements, times.data(), {});
  co_yield c;
}

// Whole numbers whose event time they are: the odd ones on the left, the even ones on the right. `key` is called with them.
template <class T> instant number_of(T const& x) {
  if constexpr (std::is_same_v<T, int>) return x;
  else return x.value();
}
template <class T> auto odd_and_even(stream<T> s) {
  auto to_side = [](T& x) {
    return number_of(x) % 2 != 0 ? std::variant<T, T>(std::in_place_index<0>, std::move(x))
                                 : std::variant<T, T>(std::in_place_index<1>, std::move(x));
  };
  auto time_of = [](std::variant<T, T> const& x) { return std::visit([](T const& n) { return number_of(n); }, x); };
  return std::move(s) | map(to_side) | event_time(time_of, monotonic());
}
template <class Chain> stream<std::string> as_numbers(Chain chain) {
  return std::move(chain) | map([](auto const& p) {
           return (p.left ? std::to_string(number_of(*p.left)) : "") + "+" + (p.right ? std::to_string(number_of(*p.right)) : "");
         });
}

/// A join's state as it says it: its options, where the watermark was, how many elements wait by its counts, and which do.
struct kept_row {
  kept_row(std::string k, std::vector<instant> l, std::vector<instant> r) : key(std::move(k)), left(std::move(l)), right(std::move(r)) {}
  std::string key;
  std::vector<instant> left, right;
};
inline std::vector<std::byte> join_state(std::vector<instant> const& options, instant watermark, std::uint64_t open,
                                         std::vector<kept_row> const& rows) {
  std::vector<std::byte> out;
  for (instant const t : options) encode_state(t, out);
  encode_state(watermark, out);
  tally counts;
  counts.in = counts.open = open;
  encode_state(counts, out);
  encode_state(std::uint64_t{rows.size()}, out);
  for (kept_row const& r : rows) {
    encode_state(r.key, out);
    for (auto const& times : {r.left, r.right}) {
      encode_state(std::uint64_t{times.size()}, out);
      for (instant const t : times) {
        encode_state(t, out);
        encode_state(r.key, out);  // the element: key, time, value
        encode_state(t, out);
        encode_state(1, out);
        encode_state(false, out);  // it has no partner yet
      }
    }
  }
  return out;
}

/// The checkpoint behind all of `line`.
template <class Make> kept_state join_state_after(std::string const& line, Make make) {
  feed<side> in(sides(line));
  in.barrier_at(sides(line).size());
  auto const got = testing::run(run_to(as_text(make(in.open())), in.barrier()));
  REQUIRE(got.state);
  return *got.state;
}
/// The join's part of it.
inline std::vector<std::byte>& join_part(kept_state& state) {
  for (state_entry& e : state)
    if (e.operator_id.ends_with("_join")) return e.value;
  throw std::logic_error("no state of a join");
}
/// How a run ends that is restored from this, and gives `line`.
template <class Make> seen<std::string> restored_with(kept_state state, std::string const& line, Make make) {
  feed<side> in(sides(line));
  in.restores(std::move(state));
  return testing::run(drain(as_text(make(in.open()))));
}
/// A join's state that is cut short, goes on, or has bits changed is refused; or it is taken, but never breaks. `line`: what goes on after
/// it.
template <class Make> void check_damaged_states(std::string const& before, std::string const& line, Make make) {
  kept_state all = join_state_after(before, make);
  auto const state = join_part(all);
  CHECK(restored_with(all, line, make).failure == "");
  auto const code_of = [&](std::vector<std::byte> damaged) {
    join_part(all) = std::move(damaged);
    return restored_with(all, line, make).code;
  };
  for (std::size_t n = 0; n != state.size(); ++n) {
    CAPTURE(n);
    CHECK(code_of({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(n)}) == errc::corrupt);
  }
  auto longer = state;
  longer.push_back(std::byte(0));
  CHECK(code_of(longer) == errc::corrupt);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit != state.size() * 8; ++bit) {
    auto damaged = state;
    damaged[bit / 8] ^= std::byte(1) << bit % 8;
    auto const code = code_of(std::move(damaged));
    if (!code) continue;
    CAPTURE(bit);
    CHECK((code == errc::corrupt || code == errc::incompatible));
    ++refused;
  }
  CHECK(refused > state.size() * 8 / 3);  // what is left are bits of keys, values and times, which may be anything
}

}  // namespace weir::test

template <> struct weir::codec<weir::test::event> {
  static void encode(weir::test::event const& e, std::vector<std::byte>& to) {
    encode_state(e.key, to);
    encode_state(e.time, to);
    encode_state(e.value, to);
  }
  static weir::test::event decode(std::span<std::byte const>& from) {
    auto key = decode_part<std::string>(from);
    auto const time = decode_part<instant>(from);
    return weir::test::event(std::move(key), time, decode_part<int>(from));
  }
};
template <> struct weir::codec<weir::test::quote> {
  static void encode(weir::test::quote const& q, std::vector<std::byte>& to) {
    encode_state(weir::test::event(q.key, q.time, q.value), to);
  }
  static weir::test::quote decode(std::span<std::byte const>& from) { return weir::test::quote(decode_part<weir::test::event>(from)); }
};
template <> struct weir::codec<weir::test::tracked> {
  static void encode(weir::test::tracked const& x, std::vector<std::byte>& to) { encode_state(x.value(), to); }
  static weir::test::tracked decode(std::span<std::byte const>& from) { return weir::test::tracked(decode_part<int>(from)); }
};
