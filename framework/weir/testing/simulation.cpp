#include <weir/testing/simulation.hpp>

#include <weir/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

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
  std::vector<detail::resumption> ready;
  detail::nursery_ref home;
};

simulation::simulation(std::uint64_t seed) : parts_(std::make_unique<parts>(seed)) {}

simulation::~simulation() {
  if (parts_->home) parts_->home->abandon();
}

context& simulation::main() noexcept { return parts_->home->main(); }
void simulation::post(detail::resumption r) { parts_->ready.push_back(std::move(r)); }
virtual_clock& simulation::clock() noexcept { return parts_->clock; }
boost::asio::any_io_executor const& simulation::executor() noexcept { return parts_->executor; }

void simulation::begin(detail::root r) {
  parts_->home = detail::nursery_ref(*new detail::nursery(*this));
  detail::nursery::start_main(detail::nursery_ref(*parts_->home.get()), r);
}

void simulation::finish(bool const& done) {
  parts& p = *parts_;
  while (!done) {
    if (!p.ready.empty()) {
      std::size_t const pick = p.random() % p.ready.size();
      std::swap(p.ready[pick], p.ready.back());
      detail::resumption next = std::move(p.ready.back());
      p.ready.pop_back();
      next();
      continue;
    }
    p.loop.restart();
    if (p.loop.poll_one() != 0 || p.clock.advance_to_next()) continue;
    p.loop.restart();
    if (p.loop.run_one() != 0) continue;
    p.home->abandon();
    throw error(errc::stalled, "simulation: stalled", "the work waits, but nothing is ready, no timer runs and no I/O is pending",
                "look for a wait that nobody ends");
  }
}

}  // namespace weir::testing
