#include <weir/postgres/detail/connection_pool.hpp>

#include <weir/asio.hpp>
#include <weir/context.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace weir::postgres::detail {
namespace asio = boost::asio;

// Somebody who waits, on a strand of his own: a timer that is never due keeps his event loop awake.
struct connection_pool::waiting {
  explicit waiting(asio::any_io_executor const& e) : executor(e), timer(e, asio::steady_timer::time_point::max()) {}
  asio::any_io_executor executor;
  asio::steady_timer timer;
  std::unique_ptr<connection> lent;  // guarded by the pool's lock
  bool gone = false;                 // the same
};

connection_pool::connection_pool(connection_options options, std::size_t limit)
    : options_(std::move(options)), server_(connection(options_).server()), unmade_(limit) {
  idle_.reserve(limit);
}

std::unique_ptr<connection> connection_pool::try_take() {
  if (!idle_.empty()) {
    auto out = std::move(idle_.back());  // the one that was in use last: it is the most likely to be open
    idle_.pop_back();
    return out;
  }
  if (unmade_ == 0) return nullptr;
  --unmade_;
  return std::make_unique<connection>(options_);
}

void connection_pool::take_back(std::unique_ptr<connection> lent) noexcept {
  if (lent->in_transaction()) lent->close();
  std::lock_guard const held(lock_);
  while (!queue_.empty()) {
    std::shared_ptr<waiting> const next = std::move(queue_.front());
    queue_.pop_front();
    if (next->gone) continue;
    next->lent = std::move(lent);
    asio::post(next->executor, [next] { next->timer.cancel(); });  // under the lock: without it, its event loop might go first
    return;
  }
  idle_.push_back(std::move(lent));
}

task<connection_pool::loan> connection_pool::borrow() {
  auto const self = shared_from_this();
  context& own = co_await current_context();
  std::shared_ptr<waiting> place;
  {
    std::lock_guard const held(lock_);
    if (auto taken = try_take()) co_return loan(self, std::move(taken));
    place = std::make_shared<waiting>(own.environment().executor());
    queue_.push_back(place);
  }
  // Whoever ends here half-way hands on what he was lent.
  struct leaving {
    leaving(connection_pool& p, waiting& w) noexcept : pool(&p), place(&w) {}
    leaving(leaving const&) = delete;
    leaving& operator=(leaving const&) = delete;
    ~leaving() {
      std::unique_ptr<connection> unused;
      {
        std::lock_guard const held(pool->lock_);
        place->gone = true;
        unused = std::move(place->lent);
      }
      if (unused) pool->take_back(std::move(unused));
    }
    connection_pool* pool;
    waiting* place;
  } const at_end(*this, *place);
  co_await place->timer.async_wait(asio::as_tuple(use));
  std::unique_ptr<connection> lent;
  {
    std::lock_guard const held(lock_);
    lent = std::move(place->lent);
  }
  if (!lent) weir::detail::throw_cancelled();
  co_return loan(self, std::move(lent));
}

}  // namespace weir::postgres::detail
