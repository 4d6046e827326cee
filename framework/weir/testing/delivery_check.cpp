#include <weir/testing/delivery_check.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <utility>

namespace weir::testing {

// One run of the check.
class delivery_check::search {
public:
  explicit search(delivery_check const& c) : check_(c), calm_(detail::run_trial(c.plan_, {})), random_(c.plan_.seed) {
    expected_ = calm_.effects;
    if (c.keyed_) expected_.keyed = *c.keyed_;
    if (c.listed_) expected_.listed = *c.listed_;
  }

  delivery_report everything() {
    delivery_report found = reported(detail::judge(calm_, expected_, check_.once_), {});
    bool const told = check_.keyed_ || check_.listed_;
    if (found.passed() && !told && expected_.keyed.empty() && expected_.listed.empty())
      found.failure = "it has no effect when nothing goes wrong, and expect() was not told that it should not: there is nothing to compare";
    if (!found.passed()) return found;
    std::vector<mishap> const all = single_mishaps();
    std::vector<mishap> drawn;  // in the order of `all`
    std::ranges::sample(all, std::back_inserter(drawn), static_cast<std::ptrdiff_t>(std::min(check_.singles_, all.size())), random_);
    for (mishap const& m : drawn)
      if (found = attempt({m}); !found.passed()) return found;
    for (std::size_t i = 0; i != check_.pairs_; ++i) {
      mishap const first = all[random_() % all.size()], second = all[random_() % all.size()];
      if (found = attempt({first, second}); !found.passed()) return shortened(std::move(found));
    }
    return reported(delivery_report(), {});
  }
  delivery_report attempt(delivery_schedule const& mishaps) {
    ++trials_;
    return reported(detail::judge(detail::run_trial(check_.plan_, mishaps), expected_, check_.once_), mishaps);
  }

private:
  // In this order, the first that fails is the simplest to look into.
  std::vector<mishap> single_mishaps() const {
    std::vector<mishap> out;
    for (std::uint64_t step = 0; step <= calm_.steps; ++step) out.push_back(mishap::crash_after_step(step));
    for (std::uint64_t n = 1; n <= calm_.commits; ++n)
      for (fault const f : {fault::fail, fault::lost_ack, fault::delay, fault::crash_before, fault::crash_after})
        out.push_back(mishap::at_commit(n, f));
    for (std::uint64_t n = 1; n <= calm_.writes; ++n)
      for (fault const f : {fault::fail, fault::lost_ack, fault::delay, fault::duplicate})
        if (f != fault::duplicate || !check_.once_) out.push_back(mishap::at_write(n, f));
    for (std::uint64_t n = 1; n <= calm_.reads; ++n)
      for (fault const f : {fault::fail, fault::delay}) out.push_back(mishap::at_read(n, f));
    return out;
  }

  // Without the mishaps it does not need, and with earlier crashes, as far as it still fails.
  delivery_report shortened(delivery_report found) {
    for (std::size_t i = 0; i < found.schedule.size();) {
      delivery_schedule fewer = found.schedule;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (delivery_report other = attempt(fewer); !other.passed()) found = std::move(other);
      else ++i;
    }
    for (std::size_t i = 0; i != found.schedule.size(); ++i) {
      if (found.schedule[i].where() != mishap::place::step) continue;
      for (std::uint64_t step = 0; step != found.schedule[i].nth(); ++step) {
        delivery_schedule earlier = found.schedule;
        earlier[i] = mishap::crash_after_step(step);
        if (delivery_report other = attempt(earlier); !other.passed()) {
          found = std::move(other);
          break;
        }
      }
    }
    found.trials = trials_;
    return found;
  }

  delivery_report reported(delivery_report r, delivery_schedule const& mishaps) const {
    r.schedule = mishaps;
    r.seed = check_.plan_.seed;
    r.trials = trials_;
    r.steps = calm_.steps;
    r.reads = calm_.reads;
    r.writes = calm_.writes;
    r.commits = calm_.commits;
    return r;
  }

  delivery_check const& check_;
  detail::delivery_outcome const calm_;
  detail::delivery_effects expected_;
  std::mt19937_64 random_;
  std::uint64_t trials_ = 1;
};

delivery_check::delivery_check(std::function<void(application&, delivery_trial&)> build) {
  plan_.build = std::move(build);
  plan_.commit = {.records = 2, .every = std::chrono::seconds(1)};
}

delivery_check& delivery_check::expect(std::map<std::string, std::string> by_identity) {
  keyed_ = std::move(by_identity);
  return *this;
}
delivery_check& delivery_check::expect_list(std::vector<std::string> values) {
  listed_ = std::move(values);
  return *this;
}
delivery_check& delivery_check::exactly_once() {
  once_ = true;
  return *this;
}
delivery_check& delivery_check::commit(commit_policy p) {
  plan_.commit = p;
  return *this;
}
delivery_check& delivery_check::store(std::function<std::shared_ptr<state_store>(std::shared_ptr<state_store>)> wrap) {
  plan_.wrap_store = std::move(wrap);
  return *this;
}
delivery_check& delivery_check::seed(std::uint64_t s) {
  plan_.seed = s;
  return *this;
}
delivery_check& delivery_check::kept_in(std::shared_ptr<kept_outside> place) {
  plan_.outside = std::move(place);
  return *this;
}
delivery_check& delivery_check::singles(std::size_t n) {
  singles_ = n;
  return *this;
}
delivery_check& delivery_check::pairs(std::size_t n) {
  pairs_ = n;
  return *this;
}

delivery_report delivery_check::run() const { return search(*this).everything(); }
delivery_report delivery_check::run_only(delivery_schedule const& mishaps) const { return search(*this).attempt(mishaps); }

}  // namespace weir::testing
