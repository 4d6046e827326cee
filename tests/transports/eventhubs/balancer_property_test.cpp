// Consumers that come, end and die, over blobs whose requests and answers are late or lost, each with a clock of its own: once the trouble
// is over every partition has one holder, nobody has two more than another, and nobody claims anything any more.
#include <weir/eventhubs/balancer.hpp>

#include "ownership_fake.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::balancer;
using eventhubs::balancer_options;
using eventhubs::balancing;
using eventhubs::ownership_list;
using eventhubs::ownership_write;
using eventhubs::ownership_write_kind;
using test::ownership_fake;
using ticks = std::chrono::nanoseconds;

namespace {

constexpr int partitions = 12;
constexpr ticks step_time = 250ms;

// It knows nothing of the others.
struct consumer {
  consumer(std::string name, balancer_options const& o, std::uint64_t seed, ticks its_clock)
      : state(std::move(name), o, seed), clock(its_clock) {
    std::vector<std::string> ids;
    for (int i = 0; i != partitions; ++i) ids.push_back(std::to_string(i));
    state.know(ids);
  }

  balancer state;
  ticks clock;  // what it shows at the beginning of time
  bool alive = true, looking = false, ending = false;
};

class group {
public:
  group(unsigned seed, balancer_options o) : dice_(seed), options_(std::move(o)) {}

  void run_until(ticks end) {
    for (; now_ < end; now_ += step_time) {
      for (auto at = later_.begin(); at != later_.end() && at->first <= now_; at = later_.erase(at)) at->second();
      for (auto const& c : all_)
        if (c->alive) step(c);
      watch_overlaps();
    }
  }
  void start_one() {
    all_.push_back(std::make_shared<consumer>("c" + std::to_string(all_.size()), options_, dice_(), ticks(any(1'000'000)) * 1'000'000));
  }
  void kill_one() {
    if (auto const c = some_one()) c->alive = false;
  }
  void end_one() {
    auto const c = some_one();
    if (!c) return;
    c->ending = true;
    c->state.end();
  }
  void trouble(unsigned percent) { trouble_ = percent; }
  void calm() {
    trouble_ = 0;
    longest_ = 400;
  }
  std::size_t alive() const {
    return static_cast<std::size_t>(std::ranges::count_if(all_, [](auto const& c) { return c->alive && !c->ending; }));
  }
  // How many each holds, where the blobs say the same.
  std::map<std::string, int> shares() const {
    std::map<std::string, int> out;
    for (auto const& c : all_) {
      if (!c->alive || c->ending) continue;
      int& mine = out[c->state.name()];
      for (int i = 0; i != partitions; ++i) {
        std::string const id = std::to_string(i);
        if (!c->state.holds(id, now_ + c->clock)) continue;
        ++mine;
        if (blobs_.at(id)->owner != c->state.name()) FAIL("by its blob " << id << " belongs to " << blobs_.at(id)->owner);
      }
    }
    return out;
  }
  int claims() const noexcept { return claims_; }
  ticks longest_overlap() const noexcept { return longest_overlap_; }

private:
  unsigned any(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(dice_); }
  ticks some_delay() { return ticks(any(any(10) == 0 ? longest_ : 200)) * 1'000'000; }
  bool is_lost() { return any(100) < trouble_; }
  instant service_time() const { return 1'790'000'000'000'000'000 + now_.count(); }
  std::shared_ptr<consumer> some_one() {
    std::vector<std::shared_ptr<consumer>> who;
    for (auto const& c : all_)
      if (c->alive && !c->ending) who.push_back(c);
    return who.size() < 2 ? nullptr : who[any(static_cast<unsigned>(who.size()))];
  }
  void after(ticks delay, std::function<void()> what) { later_.emplace(now_ + delay, std::move(what)); }

  void step(std::shared_ptr<consumer> const& c) {
    ticks const local = now_ + c->clock;
    if (!c->looking && !c->ending && local >= c->state.look_due()) look(c, local);
    if (local >= c->state.next_due())
      for (ownership_write& w : c->state.due(local)) send(c, std::move(w));
    c->state.take_events();
    if (!c->ending) return;
    for (int i = 0; i != partitions; ++i) c->state.let_go(std::to_string(i));
    if (c->state.held() == 0) c->alive = false;
  }
  void look(std::shared_ptr<consumer> const& c, ticks began) {
    c->looking = true;
    after(some_delay(), [this, c, began] {
      auto const found = std::make_shared<ownership_list>(blobs_.all(service_time()));
      bool const lost = is_lost();
      after(some_delay(), [this, c, began, found, lost] {
        c->looking = false;
        if (c->alive && !lost) c->state.saw(*found, began, now_ + c->clock);
      });
    });
  }
  // The request may be lost, or be late, or its answer may; who hears nothing for two seconds does not know.
  void send(std::shared_ptr<consumer> const& c, ownership_write w) {
    auto const over = std::make_shared<bool>(false);
    after(2s, [this, c, w, over] {
      if (c->alive && !std::exchange(*over, true)) c->state.unknown(w, now_ + c->clock);
    });
    if (is_lost()) return;
    after(some_delay(), [this, c, w, over] {
      std::string const etag = blobs_.write(w, service_time());
      if (!etag.empty() && w.what == ownership_write_kind::claim) ++claims_;
      auto const found = blobs_.at(w.before.partition);
      if (is_lost()) return;
      after(some_delay(), [this, c, w, over, etag, found] {
        if (!c->alive || std::exchange(*over, true)) return;
        if (!etag.empty()) c->state.done(w, etag, now_ + c->clock);
        else c->state.refused(w, found, now_ + c->clock);
      });
    });
  }
  // From a steal to the renewal by which it is noticed.
  void watch_overlaps() {
    for (int i = 0; i != partitions; ++i) {
      std::string const id = std::to_string(i);
      auto const holders = std::ranges::count_if(all_, [&](auto const& c) { return c->alive && c->state.holds(id, now_ + c->clock); });
      ticks& since = overlap_since_.try_emplace(id, now_).first->second;
      if (holders < 2) since = now_;
      longest_overlap_ = std::max(longest_overlap_, now_ - since);
    }
  }

  std::mt19937_64 dice_;
  balancer_options const options_;
  ownership_fake blobs_;
  ticks now_{};
  unsigned trouble_ = 0, longest_ = 3'000;  // ms
  int claims_ = 0;
  ticks longest_overlap_{};
  std::map<std::string, ticks> overlap_since_;
  std::vector<std::shared_ptr<consumer>> all_;
  std::multimap<ticks, std::function<void()>> later_;
};

}  // namespace

TEST_CASE("consumers that come and go share partitions, and then leave each other in peace", "[eventhubs][balancer][property]") {
  int claims = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    balancer_options o;
    o.strategy = seed % 2 == 0 ? balancing::greedy : balancing::balanced;
    std::mt19937 dice(seed);
    group g(seed, o);
    g.trouble(seed % 3 * 8);
    g.start_one();
    ticks now{};
    for (int i = 0; i != 12; ++i) {
      now += std::chrono::seconds(5 + dice() % 40);
      g.run_until(now);
      switch (dice() % 4) {
        case 0: g.kill_one(); break;
        case 1: g.end_one(); break;
        default:
          if (g.alive() < 5) g.start_one();
      }
    }
    // Nobody holds on to what it has lost for longer than until its next renewal, or, when that is lost too, the expiry.
    CHECK(g.longest_overlap() <= (seed % 3 == 0 ? 10s + 2s + 6s : 60s));
    claims += g.claims();
    g.calm();
    int const before = g.claims();
    g.run_until(now + 300s);
    CHECK(g.claims() - before <= 3 * partitions);  // no storm
    int const settled = g.claims();
    g.run_until(now + 400s);
    CHECK(g.claims() == settled);
    int all = 0, least = partitions, most = 0;
    for (auto const& [name, n] : g.shares()) {
      all += n;
      least = std::min(least, n);
      most = std::max(most, n);
    }
    CHECK(all == partitions);
    CHECK(most - least <= 1);
  }
  CHECK(claims > 1'000);  // so that it was about something
}
