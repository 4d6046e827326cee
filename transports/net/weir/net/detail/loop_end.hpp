#pragma once
#include <boost/asio/execution_context.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace weir::net::detail {

class connection_pool;

// Part of an event loop: tells pools when it ends, as a socket must not outlive its loop.
class loop_end final : public boost::asio::execution_context::service {
public:
  static inline boost::asio::execution_context::id id;
  explicit loop_end(boost::asio::execution_context& loop) : service(loop) {}
  void watch(std::weak_ptr<connection_pool> pool);

private:
  void shutdown() override;

  std::mutex lock_;
  std::vector<std::weak_ptr<connection_pool>> pools_;
};

}  // namespace weir::net::detail
