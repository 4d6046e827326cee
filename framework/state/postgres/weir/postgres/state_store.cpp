#include <weir/postgres/state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/error.hpp>
#include <weir/postgres/detail/checkpoint_commit.hpp>
#include <weir/postgres/detail/checkpoint_read.hpp>
#include <weir/postgres/detail/connection_pool.hpp>
#include <weir/postgres/detail/shielded.hpp>
#include <weir/postgres/detail/state_tables.hpp>
#include <weir/postgres/write.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>

#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

namespace weir::postgres {
namespace {

// What a call does on a connection, as often as it takes.
class attempt {
public:
  attempt() = default;
  attempt(attempt const&) = delete;
  attempt& operator=(attempt const&) = delete;
  virtual ~attempt() = default;
  virtual task<> run(connection& on) = 0;
  virtual bool uncertain() const noexcept { return false; }
};

template <class Work> class plain_attempt final : public attempt {
public:
  template <class... Args> explicit plain_attempt(Args&&... args) : work_(std::forward<Args>(args)...) {}
  task<> run(connection& on) override { return work_.run(on); }
  bool uncertain() const noexcept override {
    if constexpr (requires { work_.uncertain(); }) return work_.uncertain();
    else return false;
  }

private:
  Work work_;
};

class loading final : public attempt {
public:
  loading(detail::state_tables const& tables, checkpoint_key key) : tables_(&tables), key_(std::move(key)) {}
  task<> run(connection& on) override { found = co_await detail::read_checkpoint(on, *tables_, key_); }
  std::optional<saved_checkpoint> found;

private:
  detail::state_tables const* tables_;
  checkpoint_key key_;
};

class listing final : public attempt {
public:
  listing(detail::state_tables const& tables, std::string pipeline) : tables_(&tables), pipeline_(std::move(pipeline)) {}
  task<> run(connection& on) override { found = co_await detail::read_listing(on, *tables_, pipeline_); }
  std::vector<checkpoint_listing> found;

private:
  detail::state_tables const* tables_;
  std::string pipeline_;
};

class finding_keys final : public attempt {
public:
  explicit finding_keys(detail::state_tables const& tables) : tables_(&tables) {}
  task<> run(connection& on) override { found = co_await detail::read_keys(on, *tables_); }
  std::vector<checkpoint_key> found;

private:
  detail::state_tables const* tables_;
};

}  // namespace

struct state_store::parts {
  explicit parts(state_store_options o)
      : options(std::move(o)),
        tables(options.schema),
        pool(std::make_shared<detail::connection_pool>(options.connection, options.connections)) {}

  state_store_options options;
  detail::state_tables tables;
  std::shared_ptr<detail::connection_pool> pool;
  std::atomic<bool> reached = false;  // once, by a call that found its tables

  static task<> open(parts& all, connection& on) {
    if (on.is_open()) co_return;
    co_await on.open();
    try {
      co_await all.tables.prepare(on);
    } catch (...) {
      on.close();
      throw;
    }
    all.reached = true;
  }

  static task<> try_once(parts& all, attempt& work) {
    detail::connection_pool::loan const on = co_await all.pool->borrow();
    co_await open(all, *on);
    co_await work.run(*on);
  }

  // Keeps what it needs itself: it may outlive who awaits it.
  static task<> run(std::shared_ptr<parts> all, std::shared_ptr<attempt> work) {
    auto const policy = retry_policy()
                            .attempts(std::numeric_limits<unsigned>::max())
                            .first_delay(std::chrono::milliseconds(20))
                            .cap(std::chrono::seconds(1))
                            .blur(jitter::equal);
    auto const until = std::chrono::steady_clock::now() + all->options.patience;
    for (unsigned failed = 1;; ++failed) {
      std::exception_ptr failure;
      try {
        co_await try_once(*all, *work);
        co_return;
      } catch (...) {
        failure = std::current_exception();
      }
      auto const delay = policy.after(failure, failed);
      if (!delay || !all->reached) std::rethrow_exception(failure);
      if (std::chrono::steady_clock::now() + *delay > until) give_up(failure, failed, work->uncertain());
      co_await sleep_for(*delay);
    }
  }

  [[noreturn]] static void give_up(std::exception_ptr const& failure, unsigned tries, bool uncertain) {
    try {
      std::rethrow_exception(failure);
    } catch (error& e) {
      e.with_detail("after " + std::to_string(tries) + (tries == 1 ? " try" : " tries"));
      if (uncertain) e.with_detail("it is not known whether the commit arrived; the same again finds out");
      throw;
    }
  }
};

state_store::state_store(state_store_options options) {
  if (options.connections == 0 || options.patience.count() < 0)
    throw error(errc::invalid_option, "postgres: cannot make a state store", "it needs at least one connection, and patience >= 0");
  parts_ = std::make_shared<parts>(std::move(options));
}
state_store::~state_store() = default;

task<std::optional<saved_checkpoint>> state_store::load(checkpoint_key key) {
  auto const work = std::make_shared<loading>(parts_->tables, std::move(key));
  co_await detail::shielded(parts::run(parts_, work));
  co_return std::move(work->found);
}

task<> state_store::commit(checkpoint_key key, checkpoint_update update) {
  using committing = plain_attempt<detail::checkpoint_commit>;
  auto writes = weir::detail::writes_for<write>(*this, key, update);
  auto const work = std::make_shared<committing>(parts_->tables, std::move(key), std::move(update), std::move(writes));
  co_await detail::shielded(parts::run(parts_, work));
}

task<std::vector<checkpoint_listing>> state_store::list(std::string pipeline) {
  auto const work = std::make_shared<listing>(parts_->tables, std::move(pipeline));
  co_await detail::shielded(parts::run(parts_, work));
  co_return std::move(work->found);
}

task<std::vector<checkpoint_key>> state_store::keys() {
  auto const work = std::make_shared<finding_keys>(parts_->tables);
  co_await detail::shielded(parts::run(parts_, work));
  co_return std::move(work->found);
}

task<> state_store::erase(checkpoint_key key) {
  using erasing = plain_attempt<detail::checkpoint_erasure>;
  auto const work = std::make_shared<erasing>(parts_->tables, std::move(key));
  co_await detail::shielded(parts::run(parts_, work));
}

}  // namespace weir::postgres
