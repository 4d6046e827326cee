// Sources and sinks for the tests of operators.
#pragma once
#include <weir/barrier.hpp>
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/reschedule.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// Every operator gives the same result for each of these: 0 stands for a source that yields element by element.
inline constexpr std::array<std::size_t, 4> chunkings{0, 1, 3, 256};

/// The state of a checkpoint.
using kept_state = std::vector<state_entry>;
/// What the changes of checkpoints that follow each other come to.
class folded_state {
public:
  void take(std::vector<state_change> const& changes) {
    for (state_change const& c : changes) {
      std::pair const at(c.entry.operator_id, c.entry.key);
      if (c.kind == state_change_kind::put) all_[at] = c.entry.value;
      else if (c.kind == state_change_kind::erase) all_.erase(at);
      else std::erase_if(all_, [&](auto const& e) { return e.first.first == at.first && e.first.second.starts_with(at.second); });
    }
  }
  kept_state entries() const {
    kept_state out;
    for (auto const& [at, value] : all_) out.emplace_back(at.first, at.second, value);
    return out;
  }

private:
  std::map<std::pair<std::string, std::string>, std::vector<std::byte>> all_;
};
/// The state at one checkpoint, the first of its run.
inline kept_state state_at(barrier& b) {
  folded_state all;
  all.take(b.state().all());
  return all.entries();
}
/// How one checkpoint changes an operator's entries: `+` puts, `-` erases, `--` erases all that begin so, each with the name as shown.
template <class Show> std::string changes_of(barrier& b, std::string_view operator_id, Show show_name) {
  std::string out;
  for (state_change const& c : b.state().all()) {
    if (c.entry.operator_id != operator_id) continue;
    out += out.empty() ? "" : " ";
    out += c.kind == state_change_kind::put ? "+" : c.kind == state_change_kind::erase ? "-" : "--";
    out += show_name(c.entry.key);
  }
  return out;
}
/// What an operator has that keeps all in one entry.
inline std::vector<std::byte>& whole_of(kept_state& state, std::string_view operator_id) {
  auto const found = std::find_if(state.begin(), state.end(), [&](state_entry const& e) { return e.operator_id == operator_id; });
  if (found == state.end()) throw std::logic_error("no state of " + std::string(operator_id));
  return found->value;
}
inline kept_state whole_states(std::vector<std::pair<std::string, std::vector<std::byte>>> parts) {
  kept_state out;
  for (auto& [id, bytes] : parts) out.emplace_back(id, "", std::move(bytes));
  std::ranges::sort(out, {}, &state_entry::operator_id);
  return out;
}
inline std::size_t size_of(kept_state const& state) {
  std::size_t n = 0;
  for (state_entry const& e : state) n += e.operator_id.size() + e.key.size() + e.value.size();
  return n;
}

/// A checkpoint that only knows whether it was completed.
class cut final : public barrier {
public:
  explicit cut(std::size_t elements) noexcept : at(elements) {}
  std::size_t const at;  ///< elements before it
};

/// A source with everything on it. Copies share what has happened; it can be opened once.
template <class T> class feed {
public:
  explicit feed(std::vector<T> xs) : state_(std::make_shared<state>(std::move(xs))) {}
  /// Elements per chunk; 0 (the default): one `co_yield` each.
  feed& chunks(std::size_t n) { return set(state_->chunk, n); }
  /// Fails after the last element with `std::runtime_error(why)`.
  feed& fails(std::string why) { return set(state_->failure, std::make_exception_ptr(std::runtime_error(why))); }
  /// Ends with a stop mark, as after a drain.
  feed& stops() { return set(state_->stopped, true); }
  /// A mark before the element with index `at`. Calls are in order of `at`.
  feed& mark_at(std::size_t at, mark m) {
    state_->marks.emplace_back(at, m);
    return *this;
  }
  feed& barrier_at(std::size_t at) { return mark_at(at, mark::barrier(state_->cuts.emplace_back(at))); }
  feed& restores(kept_state entries) { return set(state_->restored, restored_state(std::move(entries))); }
  /// Gives way to the event loop before every chunk.
  feed& waits() { return set(state_->waiting, true); }

  stream<T> open() const { return run(state_, false); }
  /// Element i has event time 10 * i.
  timed_stream<T> open_timed() const { return timed_stream<T>(run(state_, true)); }

  /// Elements that were yielded so far.
  std::size_t handed_out() const noexcept { return state_->out; }
  /// The barriers, in order.
  cut& barrier(std::size_t n = 0) const { return *std::next(state_->cuts.begin(), static_cast<std::ptrdiff_t>(n)); }
  /// The state at the last one that was completed.
  kept_state kept() const {
    folded_state all;
    for (cut& c : state_->cuts)
      if (c.completed()) all.take(c.state().all());
    return all.entries();
  }

private:
  struct state {
    explicit state(std::vector<T> xs) : elements(std::move(xs)) {}
    std::vector<T> elements;
    std::size_t chunk = 0, out = 0;
    std::exception_ptr failure;
    bool stopped = false, waiting = false;
    std::vector<std::pair<std::size_t, mark>> marks;
    std::list<cut> cuts;
    std::optional<restored_state> restored;
  };
  template <class M, class V> feed& set(M& member, V value) {
    member = std::move(value);
    return *this;
  }

  static stream<T> run(std::shared_ptr<state> s, bool timed) {
    if (s->restored) co_yield mark::restore(*s->restored);
    std::size_t const n = s->elements.size();
    auto next = s->marks.begin();
    std::vector<mark> marks;
    std::vector<instant> times;
    for (std::size_t i = 0; i != n && s->chunk == 0 && !timed; ++i) {
      for (; next != s->marks.end() && next->first == i; ++next) co_yield mark(next->second);
      if (s->waiting) co_await reschedule();
      ++s->out;
      co_yield std::move(s->elements[i]);
    }
    while (s->out != n || next != s->marks.end()) {
      if (s->waiting) co_await reschedule();
      std::size_t const first = s->out;
      std::size_t last = std::min(n, first + std::max<std::size_t>(s->chunk, 1));
      marks.clear();
      for (bool ended = false; !ended && next != s->marks.end(); ++next) {
        auto const& [at, m] = *next;
        ended = m.kind == mark_kind::barrier;
        if (at > last || (at == last && at != n && !ended)) break;
        marks.push_back(m);
        marks.back().at = static_cast<std::uint32_t>(at - first);
        if (ended) last = at;
      }
      times.clear();
      for (std::size_t i = first; timed && i != last; ++i) times.push_back(static_cast<instant>(10 * i));
      s->out = last;
      chunk<T> const c(std::span<T>(s->elements).subspan(first, last - first), timed ? times.data() : nullptr, marks);
      co_yield c;
    }
    if (s->failure) std::rethrow_exception(s->failure);
    if (s->stopped) co_yield mark::stop();
  }

  std::shared_ptr<state> state_;
};

/// What came out of a stream, and how it ended.
template <class T> struct seen {
  seen() = default;
  std::vector<T> values;
  std::string failure;
  std::error_code code;
};
template <class T> task<seen<T>> drain(stream<T> s) {
  seen<T> out;
  try {
    while (T* const x = co_await s.next()) out.values.push_back(std::move(*x));
  } catch (error const& e) {
    out.failure = e.what();
    out.code = e.code();
  } catch (std::exception const& e) {
    out.failure = e.what();
  }
  co_return out;
}
template <class T> std::vector<T> all_of(stream<T> s) {
  seen<T> out = testing::run(drain(std::move(s)));
  REQUIRE(out.failure == "");
  return std::move(out.values);
}

inline std::string text(int x) { return std::to_string(x); }
inline std::string text(std::int64_t x) { return std::to_string(x); }
inline std::string text(std::uint64_t x) { return std::to_string(x); }
inline std::string text(std::string const& x) { return x; }
template <class T> std::string text(std::vector<T> const& xs) {
  std::string out;
  for (T const& x : xs) out += (out.empty() ? "[" : ",") + text(x);
  return out + "]";
}
/// Elements, times and marks on one line: `w10 1@0 2@10 | 3@20 idle stop w-end`.
template <class T> task<std::string> show(stream<T> s) {
  std::string shown;
  while (chunk<T> c = co_await next_chunk(s)) {
    std::size_t next = 0;
    for (std::size_t i = 0; i <= c.elements.size(); ++i) {
      for (; next < c.marks.size() && c.marks[next].at == i; ++next) {
        mark const& m = c.marks[next];
        if (m.kind == mark_kind::watermark) shown += (m.time == end_of_time ? "w-end" : "w" + std::to_string(m.time)) + " ";
        if (m.kind == mark_kind::idle) shown += "idle ";
        if (m.kind == mark_kind::barrier) shown += "| ";
        if (m.kind == mark_kind::restore) shown += "restore ";
        if (m.kind == mark_kind::stop) shown += "stop ";
      }
      if (i < c.elements.size()) shown += text(c.elements[i]) + (c.times ? "@" + std::to_string(c.times[i]) : "") + " ";
    }
  }
  if (!shown.empty()) shown.pop_back();
  co_return shown;
}

inline std::vector<int> numbers(int first, int last) {
  std::vector<int> out(static_cast<std::size_t>(last - first));
  std::iota(out.begin(), out.end(), first);
  return out;
}

/// What a consumer that crashes after the checkpoint at `at` had got from before it; the checkpoint's state, unless the stream ended first.
template <class U> struct interrupted {
  interrupted() = default;
  std::vector<U> values;
  std::optional<kept_state> state;
};
template <class U> task<interrupted<U>> run_to(stream<U> s, barrier& b) {
  interrupted<U> out;
  while (U* const x = co_await s.next()) {
    if (b.completed()) break;
    out.values.push_back(std::move(*x));
  }
  if (b.completed()) out.state = state_at(b);
  co_return out;
}

/// `make(stream<T>) -> stream<U>`: for every position of a checkpoint, what came before it and what a restored run makes of the rest is
/// what an uninterrupted run makes. There are checkpoints before it, since it only has what has changed after them.
template <class T, class Make> void check_restored_equals_uninterrupted(std::vector<T> const& input, Make make) {
  auto const expected = all_of(make(feed<T>(input).open()));
  for (std::size_t const chunk : chunkings) {
    for (std::size_t at = 0; at <= input.size(); ++at) {
      CAPTURE(chunk, at);
      feed<T> first(input);
      first.chunks(chunk).barrier_at(at / 3).barrier_at(at - at / 3).barrier_at(at);
      auto got = testing::run(run_to(make(first.open()), first.barrier(2)));
      if (got.state) {
        feed<T> rest(std::vector<T>(input.begin() + static_cast<std::ptrdiff_t>(at), input.end()));
        rest.chunks(chunk);
        if (kept_state state = first.kept(); !state.empty()) rest.restores(std::move(state));
        auto const tail = all_of(make(rest.open()));
        got.values.insert(got.values.end(), tail.begin(), tail.end());
      }
      CHECK(got.values == expected);
    }
  }
}

}  // namespace weir::test
