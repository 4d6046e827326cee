#include <weir/testing/simulation.hpp>

#include <weir/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace weir::testing {

struct simulation::parts {
  explicit parts(std::uint64_t seed) : random(seed), executor(loop.get_executor()) {}
  std::mt19937_64 random;
  virtual_clock clock;
  boost::asio::io_context loop{1};
  boost::asio::any_io_executor executor;
  std::vector<weir::detail::resumption> ready;
  weir::detail::nursery_ref home;
  std::uint64_t steps = 0;
  std::optional<std::uint64_t> crash_at;  // in steps
};

simulation::simulation(std::uint64_t seed) : parts_(std::make_unique<parts>(seed)) {}

simulation::~simulation() {
  if (parts_->home) parts_->home->abandon();
}

context& simulation::main() noexcept { return parts_->home->main(); }
void simulation::post(weir::detail::resumption r) { parts_->ready.push_back(std::move(r)); }
virtual_clock& simulation::clock() noexcept { return parts_->clock; }
boost::asio::any_io_executor const& simulation::executor() noexcept { return parts_->executor; }

void simulation::crash_after(std::uint64_t steps) noexcept { parts_->crash_at = parts_->steps + steps; }
void simulation::crash() noexcept { crash_after(0); }
std::uint64_t simulation::steps() const noexcept { return parts_->steps; }

void simulation::begin(weir::detail::root r) {
  parts_->home = weir::detail::nursery_ref(*new weir::detail::nursery(*this));
  weir::detail::nursery::start_main(weir::detail::nursery_ref(*parts_->home.get()), r);
}

void simulation::fall() {
  parts_->crash_at.reset();
  parts_->home->abandon();
  parts_->ready.clear();
  throw crashed();
}

void simulation::finish(bool const& done) {
  parts& p = *parts_;
  while (!done) {
    if (p.crash_at && p.steps >= *p.crash_at) fall();
    ++p.steps;
    if (!p.ready.empty()) {
      std::size_t const pick = p.random() % p.ready.size();
      std::swap(p.ready[pick], p.ready.back());
      weir::detail::resumption next = std::move(p.ready.back());
      p.ready.pop_back();
      next();
      continue;
    }
    p.loop.restart();
    if (p.loop.poll_one() != 0 || p.clock.advance_to_next()) continue;
    p.loop.restart();
    if (p.loop.run_one() != 0) continue;
    p.crash_at.reset();
    p.home->abandon();
    throw error(errc::stalled, "simulation: stalled", "the work waits, but nothing is ready, no timer runs and no I/O is pending",
                "look for a wait that nobody ends");
  }
  p.crash_at.reset();
}

}  // namespace weir::testing
