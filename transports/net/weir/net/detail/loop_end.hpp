#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace weir::net::detail {

// Who has something of event loops that must not outlive them: sockets, strands.
class loop_guest {
public:
  loop_guest(loop_guest const&) = delete;
  loop_guest& operator=(loop_guest const&) = delete;
  virtual ~loop_guest() = default;
  virtual void drop_all_of(boost::asio::execution_context& loop) noexcept = 0;

protected:
  loop_guest() = default;
};

// Part of an event loop: tells its guests when it ends.
class loop_end final : public boost::asio::execution_context::service {
public:
  static inline boost::asio::execution_context::id id;
  static boost::asio::execution_context& loop_of(boost::asio::any_io_executor const& strand);
  explicit loop_end(boost::asio::execution_context& loop) : service(loop) {}
  // Once, however often it is to.
  static void tell(std::weak_ptr<loop_guest> who, boost::asio::any_io_executor const& strand);

private:
  void add(std::weak_ptr<loop_guest> who);
  void shutdown() override;

  std::mutex lock_;
  std::vector<std::weak_ptr<loop_guest>> guests_;
};

}  // namespace weir::net::detail
