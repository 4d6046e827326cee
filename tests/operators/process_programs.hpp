// Programs of timers, drawn at random, and a naive simulation of what `process` makes of them.
#pragma once
#include <weir/operators/process_context.hpp>
#include <weir/operators/state/list_state.hpp>

#include "operators/timed_support.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace weir::test {

using context_of_texts = process_context<std::string, std::string>;

enum class action { set, cancel, forget };
struct step {
  action what;
  instant offset;
};
// What a call does, from anything that identifies it.
inline std::vector<step> program(std::string const& key, instant at, int calls, bool timer) {
  std::seed_seq seed{static_cast<int>(key.front()), static_cast<int>(at), calls, static_cast<int>(timer)};
  std::mt19937 random(seed);
  std::vector<step> steps;
  for (auto n = random() % 4; n != 0; --n) {
    auto const kind = random() % 20;
    steps.push_back({kind == 0  ? action::forget
                     : kind < 7 ? action::cancel
                                : action::set,
                     timer ? static_cast<instant>(random() % 12 + 1) : static_cast<instant>(random() % 20) - 4});
  }
  return steps;
}
inline std::string said(std::string const& key, instant at, int calls, char kind) {
  return key + std::to_string(calls) + kind + std::to_string(at);
}

struct random_program {
  using output = std::string;
  struct state {
    list_state<int> calls;
  };
  void element(event const& e, state& s, context_of_texts& c) {
    s.calls.add(1);
    run(e.time, s, c, false);
  }
  void timer(instant at, state& s, context_of_texts& c) {
    s.calls.add(1);
    run(at, s, c, true);
  }
  static void run(instant at, state& s, context_of_texts& c, bool timer) {
    int const calls = static_cast<int>(s.calls.size());
    c.emit(said(c.key(), at, calls, timer ? '#' : c.is_late() ? '!' : '.'));
    for (step const& st : program(c.key(), at, calls, timer)) {
      if (st.what == action::set) c.set_timer(c.time() + st.offset);
      if (st.what == action::cancel) c.cancel_timer(c.time() + st.offset);
      if (st.what == action::forget) c.forget();
    }
  }
};

// The same by looking at everything each time.
class simulation {
public:
  simulation(instant bound, std::optional<instant> kept) : bound_(bound), kept_(kept) {}
  std::vector<std::string> run(std::vector<event> const& input) {
    for (event const& e : input) {
      if (!keys_.contains(e.key)) keys_[e.key].order = ++seen_;
      call(e.key, e.time, false);
      pass();
      if (e.time > highest_) {
        highest_ = e.time;
        watermark_ = highest_ - bound_ - 1;
        pass();
      }
    }
    watermark_ = end_of_time;
    pass();
    return out_;
  }

private:
  struct one {
    int order = 0, calls = 0;
    instant touched = start_of_time;
    std::set<instant> timers;
  };
  void call(std::string const& key, instant at, bool timer) {
    one& k = keys_[key];
    ++k.calls;
    k.touched = std::max(k.touched, at);
    out_.push_back(said(key, at, k.calls, timer ? '#' : at < watermark_ ? '!' : '.'));
    bool gone = false;
    for (step const& s : program(key, at, k.calls, timer)) {
      if (s.what == action::set && !(timer && watermark_ == end_of_time)) k.timers.insert(at + s.offset);
      if (s.what == action::cancel) k.timers.erase(at + s.offset);
      gone = gone || s.what == action::forget;
    }
    if (gone) keys_.erase(key);
  }
  // Whatever comes first of all timers and expiries, one at a time.
  void pass() {
    for (;;) {
      std::optional<std::tuple<instant, int, int, std::string>> first;
      auto const consider = [&](instant at, int kind, int order, std::string const& key) {
        std::tuple const candidate(at, kind, order, key);
        if (at <= watermark_ && (!first || candidate < *first)) first = candidate;
      };
      for (auto const& [key, k] : keys_) {
        if (!k.timers.empty()) consider(*k.timers.begin(), 0, k.order, key);
        if (kept_) consider(k.touched + *kept_, 1, k.order, key);
      }
      if (!first) return;
      auto const& [at, kind, order, key] = *first;
      if (kind == 1) {
        keys_.erase(key);
      } else {
        keys_[key].timers.erase(at);
        call(key, at, true);
      }
    }
  }

  instant bound_, watermark_ = start_of_time, highest_ = start_of_time;
  std::optional<instant> kept_;
  std::map<std::string, one> keys_;
  int seen_ = 0;
  std::vector<std::string> out_;
};

inline std::vector<event> random_events(std::uint32_t seed, int n) {
  std::mt19937 random(seed);
  std::vector<event> out;
  instant now = 0;
  for (int i = 0; i != n; ++i) {
    now += static_cast<instant>(random() % 6);
    out.emplace_back(std::string(1, static_cast<char>('a' + random() % 5)),
                     now - static_cast<instant>(random() % 3 == 0 ? random() % 25 : 0));
  }
  return out;
}

}  // namespace weir::test
