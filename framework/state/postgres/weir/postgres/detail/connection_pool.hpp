#pragma once
#include <weir/postgres/connection.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace weir::postgres::detail {

// Up to `limit` connections for any number of strands, first come first served. Lent ones may be closed; whoever borrows one opens it.
class connection_pool : public std::enable_shared_from_this<connection_pool> {
public:
  connection_pool(connection_options options, std::size_t limit);

  // A connection until it is destroyed; it keeps the pool alive.
  class loan {
  public:
    loan(std::shared_ptr<connection_pool> from, std::unique_ptr<connection> lent) noexcept
        : from_(std::move(from)), lent_(std::move(lent)) {}
    loan(loan&&) noexcept = default;
    loan& operator=(loan&&) = delete;
    ~loan() {
      if (lent_) from_->take_back(std::move(lent_));
    }
    connection& operator*() const noexcept { return *lent_; }
    connection* operator->() const noexcept { return lent_.get(); }

  private:
    std::shared_ptr<connection_pool> from_;
    std::unique_ptr<connection> lent_;
  };
  task<loan> borrow();
  std::string const& server() const noexcept { return server_; }

private:
  struct waiting;
  void take_back(std::unique_ptr<connection> lent) noexcept;
  std::unique_ptr<connection> try_take();

  connection_options const options_;
  std::string const server_;
  std::mutex lock_;
  std::size_t unmade_;
  std::vector<std::unique_ptr<connection>> idle_;
  std::deque<std::shared_ptr<waiting>> queue_;
};

}  // namespace weir::postgres::detail
