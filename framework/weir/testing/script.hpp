#pragma once
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/stream.hpp>
#include <weir/testing/scripted_partition.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir::testing {

/// What a scripted source does, step by step: elements, gaps in (virtual) time, failures, the end. Opened again after a position it goes
/// on from there, as a real source does after a crash: what was not checkpointed comes again.
/// ```
/// script<int>().elements({1, 2, 3}).wait(5s).fail("connection lost").element(4)
/// ```
/// Positions count elements from 1 in their partition. A failure happens once: the next opening passes it. The end of the steps is
/// the end of the data. Copies share what has happened. Strand only.
template <class T> class script {
public:
  explicit script(std::string name = "memory") : state_(std::make_shared<state>(std::move(name))) {}

  /// One element, handed over by itself.
  script& element(T x) {
    std::vector<T> one;
    one.push_back(std::move(x));
    return add(std::move(one));
  }
  /// Several, handed over as one chunk.
  script& elements(std::vector<T> xs) { return xs.empty() ? *this : add(std::move(xs)); }
  script& elements(std::initializer_list<T> xs) { return elements(std::vector<T>(xs)); }
  /// Nothing comes for so long, on the context's clock, and the source says nothing.
  script& wait(std::chrono::nanoseconds d) { return add(d); }
  /// A live source that finds nothing for so long, each time it is asked, and says so (`mark::idle`) every `every` and at the end. The
  /// quiet time starts anew with each element. `every` > 0.
  script& quiet(std::chrono::nanoseconds d, std::chrono::nanoseconds every = std::chrono::seconds(1)) {
    if (every.count() <= 0) throw error(errc::invalid_option, state_->name + ": cannot be quiet", "it would say so without a pause");
    return add(silence(d, every));
  }
  /// The source fails, once.
  script& fail(error const& e) { return add(failure(e)); }
  script& fail(std::string why) { return fail(error(errc::unavailable, state_->name + ": cannot read", std::move(why))); }
  /// The steps from here on belong to this partition. Before the first call: partition "0".
  script& partition(std::string id) {
    state_->current = &state_->find(std::move(id));
    return *this;
  }

  /// The partition of the last call of `partition` begins where these have ended for good: it is read when all they have is done, and what
  /// operators keep of its keys is its own from there on. They must be in the script when a source is made of it.
  script& follows(std::vector<std::string> before) {
    current().follows = std::move(before);
    return *this;
  }
  /// Which partition keys the records of that partition have, as far as those that it follows have them, too. Default: all.
  script& keys(std::function<bool(std::string_view)> has) {
    current().has_key = std::move(has);
    return *this;
  }

  std::string_view name() const noexcept { return state_->name; }
  /// Which go on in which others.
  std::vector<scripted_partition> succession() const {
    std::vector<scripted_partition> all;
    for (auto const& p : state_->all) all.push_back(p->about);
    return all;
  }
  std::vector<std::string> partitions() const {
    std::vector<std::string> ids;
    for (auto const& p : state_->all) ids.push_back(p->about.id);
    return ids;
  }
  /// How many elements of a partition nobody has been given yet, since it was opened last.
  std::uint64_t unread(std::string_view partition = "0") const {
    steps_of const& p = state_->at(partition);
    std::uint64_t all = 0;
    for (step const& s : p.steps)
      if (auto const* const xs = std::get_if<std::vector<T>>(&s)) all += xs->size();
    return all - p.given;
  }
  /// How often a partition was opened.
  int openings(std::string_view partition = "0") const { return state_->at(partition).openings; }

  /// The same steps once more, of which nothing has happened yet.
  script afresh() const {
    script out(state_->name);
    for (auto const& p : state_->all) {
      steps_of& copy = *out.state_->all.emplace_back(std::make_unique<steps_of>(p->about));
      copy.steps = p->steps;
      for (step& s : copy.steps)
        if (auto* const f = std::get_if<failure>(&s)) f->happened = false;
      if (state_->current == p.get()) out.state_->current = &copy;
    }
    return out;
  }

  /// The partition's elements after the first `after`.
  stream<T> play(std::string partition = "0", std::uint64_t after = 0) const { return run(state_, std::move(partition), after); }

private:
  struct failure {
    explicit failure(error const& e) : what(e) {}
    error what;
    bool happened = false;
  };
  struct silence {
    silence(std::chrono::nanoseconds d, std::chrono::nanoseconds e) : time(d), every(e) {}
    std::chrono::nanoseconds time, every;
  };
  using step = std::variant<std::vector<T>, std::chrono::nanoseconds, silence, failure>;
  struct steps_of {
    explicit steps_of(scripted_partition p) : about(std::move(p)) {}
    scripted_partition about;
    std::vector<step> steps;
    int openings = 0;
    std::uint64_t given = 0;
  };
  struct state {
    explicit state(std::string n) : name(std::move(n)) {}
    steps_of& find(std::string id) {
      for (auto const& p : all)
        if (p->about.id == id) return *p;
      return *all.emplace_back(std::make_unique<steps_of>(scripted_partition(std::move(id))));
    }
    steps_of& at(std::string_view id) {
      for (auto const& p : all)
        if (p->about.id == id) return *p;
      throw error(errc::not_found, name + ": cannot open partition " + std::string(id), "the script has no such partition");
    }
    std::string name;
    std::vector<std::unique_ptr<steps_of>> all;
    steps_of* current = nullptr;
  };

  steps_of& in_current() {
    if (!state_->current) state_->current = &state_->find("0");
    return *state_->current;
  }
  scripted_partition& current() { return in_current().about; }
  script& add(step s) {
    in_current().steps.push_back(std::move(s));
    return *this;
  }

  static stream<T> run(std::shared_ptr<state> all, std::string id, std::uint64_t after) {
    steps_of& p = all->at(id);
    ++p.openings;
    p.given = 0;
    std::uint64_t seen = 0;
    std::chrono::nanoseconds quiet{};
    for (step& s : p.steps) {
      if (auto const* const gap = std::get_if<std::chrono::nanoseconds>(&s)) {
        if (seen >= after) co_await sleep_for(*gap);
      } else if (auto const* const nothing = std::get_if<silence>(&s)) {
        for (auto left = seen >= after ? nothing->time : std::chrono::nanoseconds(0); left.count() > 0;) {
          std::chrono::nanoseconds const pause = std::min(left, nothing->every);
          co_await sleep_for(pause);
          left -= pause;
          quiet += pause;
          co_yield mark::idle(quiet);
        }
      } else if (auto* const f = std::get_if<failure>(&s)) {
        if (seen >= after && !std::exchange(f->happened, true)) throw f->what;
      } else {
        auto const& xs = std::get<std::vector<T>>(s);
        std::uint64_t const known = std::min<std::uint64_t>(after > seen ? after - seen : 0, xs.size());
        seen += xs.size();
        p.given = seen;
        quiet = {};
        std::vector<T> given(xs.begin() + static_cast<std::ptrdiff_t>(known), xs.end());
        if (!given.empty()) co_yield std::span<T>(given);
      }
    }
  }

  std::shared_ptr<state> state_;
};

}  // namespace weir::testing
