// Workers that come, end and die, over a table whose requests and answers are late or lost, each with a clock of its own: no lease has two
// holders, no checkpoint goes back, and once the trouble is over every lease has a holder, and nobody has two more than another.
#include <weir/kinesis/lease_worker.hpp>

#include "lease_fake.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::lease_event;
using kinesis::lease_event_kind;
using kinesis::lease_worker;
using kinesis::lease_write;
using kinesis::lease_write_kind;
using test::lease_fake;
using ticks = std::chrono::nanoseconds;

namespace {

// A process. It knows nothing of the others.
struct process {
  process(std::string name, std::uint64_t seed, ticks its_clock, bool hands_it_over)
      : worker(name, {}, seed), clock(its_clock), hands_over(hands_it_over) {}

  lease_worker worker;
  ticks clock;      // what it shows at the beginning of time
  bool hands_over;  // or lets others wait
  bool alive = true, looking = false, ending = false;
  std::map<std::string, ticks> finishing;  // what it was asked for, and when it will be done
};

class world {
public:
  explicit world(unsigned seed) : dice_(seed) {
    for (int i = 0; i != 12; ++i) {
      lease l;
      l.key = "shard-" + std::to_string(i);
      table_.put(l);
    }
  }

  void run_until(ticks end) {
    for (; now_ < end; now_ += 100ms) {
      for (auto at = later_.begin(); at != later_.end() && at->first <= now_; at = later_.erase(at)) at->second();
      for (auto const& p : all_)
        if (p->alive) step(p);
      check_holders();
    }
  }
  void start_one() {
    std::string const name = "w" + std::to_string(all_.size());
    all_.push_back(std::make_shared<process>(name, dice_(), ticks(any(1'000'000)) * 1000, any(3) != 0));
  }
  void kill_one() {
    if (auto const p = some_one()) p->alive = false;
  }
  void end_one() {
    auto const p = some_one();
    if (!p) return;
    p->ending = true;
    p->worker.end();
  }
  /// How many of a hundred requests, answers and looks are lost.
  void trouble(unsigned percent) { trouble_ = percent; }
  /// Nothing is lost or late any more.
  void calm() {
    trouble_ = 0;
    longest_ = 150;
  }
  std::size_t alive() const {
    return static_cast<std::size_t>(std::ranges::count_if(all_, [](auto const& p) { return p->alive && !p->ending; }));
  }
  std::map<std::string, std::size_t> shares() const {
    std::map<std::string, std::size_t> out;
    for (auto const& p : all_) {
      if (!p->alive || p->ending) continue;
      std::size_t& mine = out[p->worker.name()];
      for (lease const& l : table_.all()) mine += p->worker.holds(l.key, now_ + p->clock);
    }
    return out;
  }
  std::size_t checkpoints() const noexcept { return checkpoints_; }
  std::size_t handovers() const noexcept { return handovers_; }

private:
  unsigned any(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(dice_); }
  ticks some_delay() { return ticks(any(any(10) == 0 ? longest_ : 150)) * 1'000'000; }
  bool is_lost() { return any(100) < trouble_; }
  std::shared_ptr<process> some_one() {
    std::vector<std::shared_ptr<process>> who;
    for (auto const& p : all_)
      if (p->alive && !p->ending) who.push_back(p);
    return who.size() < 2 ? nullptr : who[any(static_cast<unsigned>(who.size()))];
  }
  void after(ticks delay, std::function<void()> what) { later_.emplace(now_ + delay, std::move(what)); }

  void step(std::shared_ptr<process> const& p) {
    ticks const local = now_ + p->clock;
    if (!p->looking && local >= p->worker.look_due()) look(p, local);
    for (lease_write& w : p->worker.due(local)) send(p, std::move(w));
    for (lease_event const& e : p->worker.take_events())
      if (e.what == lease_event_kind::asked_for && p->hands_over) p->finishing[e.of.key] = now_ + ticks(any(15'000)) * 1'000'000;
    for (auto at = p->finishing.begin(); at != p->finishing.end();) {
      if (now_ < at->second) {
        ++at;
        continue;
      }
      p->worker.hand_over(at->first);
      ++handovers_;
      at = p->finishing.erase(at);
    }
    for (lease const& l : table_.all()) {
      if (!p->worker.holds(l.key, local)) continue;
      if (any(40) == 0) p->worker.checkpoint(l.key, lease_checkpoint::parse(std::to_string(++number_)).value());
      if (p->ending) p->worker.let_go(l.key);
    }
    if (p->ending && p->worker.held() == 0) p->alive = false;
  }
  void look(std::shared_ptr<process> const& p, ticks began) {
    p->looking = true;
    after(some_delay(), [this, p, began] {
      auto rows = std::make_shared<std::vector<lease>>(table_.all());
      bool const lost = is_lost();
      after(some_delay(), [this, p, began, rows, lost] {
        p->looking = false;
        if (p->alive && !lost) p->worker.saw(*rows, began, now_ + p->clock);
      });
    });
  }
  // The request may be lost, or be late, or its answer may; a writer that hears nothing for two seconds does not know.
  void send(std::shared_ptr<process> const& p, lease_write w) {
    auto const over = std::make_shared<bool>(false);
    after(2s, [this, p, w, over] {
      if (!p->alive || std::exchange(*over, true)) return;
      p->worker.unknown(w, now_ + p->clock);
    });
    if (is_lost()) return;
    after(some_delay(), [this, p, w, over] {
      bool const done = table_.write(w);
      auto const found = table_.at(w.key());
      if (done && w.what() == lease_write_kind::checkpoint) note(w);
      if (is_lost()) return;
      after(some_delay(), [this, p, w, over, done, found] {
        if (!p->alive || std::exchange(*over, true)) return;
        if (done) p->worker.done(w, now_ + p->clock);
        else p->worker.refused(w, found, now_ + p->clock);
      });
    });
  }
  void note(lease_write const& w) {
    ++checkpoints_;
    lease_checkpoint& last = written_[w.key()];
    if (w.to() < last) FAIL("the checkpoint of " << w.key() << " went back from " << last.text() << " to " << w.to().text());
    last = w.to();
  }
  void check_holders() {
    for (lease const& l : table_.all()) {
      std::string holders;
      std::size_t n = 0;
      for (auto const& p : all_) {
        if (!p->alive || !p->worker.holds(l.key, now_ + p->clock)) continue;
        holders += ' ' + p->worker.name();
        ++n;
      }
      if (n > 1) FAIL(l.key << " has the holders" << holders << " at " << now_ / 1ms << " ms");
    }
  }

  std::mt19937_64 dice_;
  lease_fake table_;
  ticks now_{};
  unsigned trouble_ = 0, longest_ = 3'000;  // ms
  std::uint64_t number_ = 0;
  std::size_t checkpoints_ = 0, handovers_ = 0;
  std::vector<std::shared_ptr<process>> all_;
  std::multimap<ticks, std::function<void()>> later_;
  std::map<std::string, lease_checkpoint> written_;
};

}  // namespace

TEST_CASE("workers that come and go share leases, and no lease ever has two holders", "[kinesis][lease][property]") {
  std::size_t checkpoints = 0, handovers = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    std::mt19937 dice(seed);
    world w(seed);
    w.trouble(seed % 3 * 8);
    w.start_one();
    ticks now{};
    for (int i = 0; i != 12; ++i) {
      now += std::chrono::seconds(5 + dice() % 40);
      w.run_until(now);
      switch (dice() % 4) {
        case 0: w.kill_one(); break;
        case 1: w.end_one(); break;
        default:
          if (w.alive() < 6) w.start_one();
      }
    }
    w.calm();
    w.run_until(now + 300s);
    std::size_t all = 0, least = 100, most = 0;
    for (auto const& [name, n] : w.shares()) {
      all += n;
      least = std::min(least, n);
      most = std::max(most, n);
    }
    CHECK(all == 12);
    CHECK(most - least <= 1);
    checkpoints += w.checkpoints();
    handovers += w.handovers();
  }
  CHECK(checkpoints > 30'000);  // so that it was about something
  CHECK(handovers > 300);
}
