#include <weir/testing/detail/delivery_run.hpp>

#include <weir/error.hpp>
#include <weir/settings.hpp>
#include <weir/testing/simulation.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace weir::testing::detail {
namespace {

constexpr std::uint64_t most_steps = 100'000;  // of one process
constexpr std::size_t most_failures = 16;      // that no mishap explains

class trial_run {
public:
  trial_run(delivery_plan const& plan, delivery_schedule const& mishaps)
      : plan_(plan), trial_(mishaps), failures_left_(most_failures + mishaps.size()) {
    for (mishap const& m : mishaps)
      if (m.where() == mishap::place::step) crashes_.push_back(m.nth());
  }

  delivery_outcome to_its_end() {
    if (plan_.outside) plan_.outside->clear();
    while (start()) {}
    if (plan_.outside) out_.effects.listed = plan_.outside->rows();
    out_.effects.keyed = trial_.idempotent().contents();
    message_receiver const& told = *trial_.receiver();
    for (std::vector<std::string> const& more : {trial_.appending().contents(), trial_.table().rows(), told.effects()})
      out_.effects.listed.insert(out_.effects.listed.end(), more.begin(), more.end());
    out_.conflicts = trial_.idempotent().conflicts();
    out_.conflicts.insert(out_.conflicts.end(), told.conflicts().begin(), told.conflicts().end());
    out_.log = trial_.log();
    out_.steps = taken();
    out_.reads = trial_.reads();
    out_.writes = trial_.writes();
    out_.commits = trial_.commits();
    return std::move(out_);
  }

private:
  // True: it has to be started again.
  bool start() {
    if (!world_) world_.emplace(plan_.seed);
    std::shared_ptr<state_store> store = trial_.store(plan_.outside ? plan_.outside->open() : nullptr);
    if (plan_.wrap_store) store = plan_.wrap_store(std::move(store));
    bool const again = run(std::move(store));
    if (!plan_.outside) return again;
    plan_.outside->close();
    before_ += world_->steps();
    world_.reset();
    return again;
  }
  bool run(std::shared_ptr<state_store> store) {
    settings s;
    s.name = "delivery";
    s.checkpoints = std::move(store);
    s.commit = plan_.commit;
    s.log = logger(log_level::error, [](log_level, std::string_view) {});  // crashes are expected
    application app(std::move(s));
    plan_.build(app, trial_);
    trial_.note("the process starts");
    std::uint64_t const began = taken();
    bool const planned = next_ != crashes_.size();
    std::uint64_t const steps = planned ? crashes_[next_] - std::min(crashes_[next_], began - counted_from_) : most_steps;
    world_->crash_after(steps);
    try {
      world_->run(app.serve());
      trial_.note(planned ? "all is done; the process crashes" : "all is done");
      if (planned) fallen();
      return planned;
    } catch (crashed const&) {
      if (planned && taken() - began >= steps) fallen();
      else if (taken() - began >= steps) return give_up("it has not ended after " + std::to_string(most_steps) + " steps");
      trial_.note("the process crashes");
      return true;
    } catch (error const& e) {
      if (e.code() == errc::stalled) return give_up(e.what());
      return failed(e.what());
    } catch (std::exception const& e) {
      return failed(e.what());
    }
  }
  void fallen() noexcept {
    ++next_;
    counted_from_ = taken();
  }
  std::uint64_t taken() const noexcept { return before_ + (world_ ? world_->steps() : 0); }
  bool failed(std::string const& why) {
    trial_.note("the process fails: " + why);
    if (failures_left_-- != 0) return true;
    return give_up("it fails however often it is started: " + why);
  }
  bool give_up(std::string why) {
    out_.failure = std::move(why);
    return false;
  }

  delivery_plan const& plan_;
  delivery_trial trial_;
  std::optional<simulation> world_;  // of this process where something is kept outside, else of all
  std::uint64_t before_ = 0;         // steps in other worlds
  std::vector<std::uint64_t> crashes_;
  std::size_t next_ = 0;            // crash to come
  std::uint64_t counted_from_ = 0;  // the step from which its steps count
  std::size_t failures_left_;
  delivery_outcome out_;
};

std::string shown(std::pair<std::string const, std::string> const& effect) { return effect.first + " = " + effect.second; }

std::map<std::string, std::size_t> counted(std::vector<std::string> const& all) {
  std::map<std::string, std::size_t> out;
  for (std::string const& x : all) ++out[x];
  return out;
}

}  // namespace

delivery_outcome run_trial(delivery_plan const& plan, delivery_schedule const& mishaps) { return trial_run(plan, mishaps).to_its_end(); }

delivery_report judge(delivery_outcome const& got, delivery_effects const& expected, bool once) {
  delivery_report out;
  out.failure = got.failure;
  out.conflicts = got.conflicts;
  out.log = got.log;
  for (auto const& effect : expected.keyed) {
    auto const found = got.effects.keyed.find(effect.first);
    if (found == got.effects.keyed.end() || found->second != effect.second) out.lost.push_back(shown(effect));
  }
  for (auto const& effect : got.effects.keyed) {
    auto const found = expected.keyed.find(effect.first);
    if (found == expected.keyed.end() || found->second != effect.second) out.unexpected.push_back(shown(effect));
  }
  std::map<std::string, std::size_t> const wanted = counted(expected.listed), there = counted(got.effects.listed);
  for (auto const& [effect, times] : wanted) {
    auto const found = there.find(effect);
    std::size_t const n = found == there.end() ? 0 : found->second;
    if (n < times) out.lost.push_back(effect);
    if (n > times && once) out.doubled.push_back(effect);
  }
  for (auto const& [effect, times] : there)
    if (!wanted.contains(effect)) out.unexpected.push_back(effect);
  return out;
}

}  // namespace weir::testing::detail
