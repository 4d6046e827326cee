#pragma once
#include <weir/net/detail/connection.hpp>
#include <weir/net/detail/loop_end.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weir::net::detail {

// Connections that nobody uses at the moment, by origin and strand. From any strand. They do not outlive their event loop, whose end the
// pool hears of.
class connection_pool final : public loop_guest, public std::enable_shared_from_this<connection_pool> {
public:
  connection_pool(std::size_t most, std::chrono::milliseconds longest) noexcept : most_(most), longest_(longest) {}

  // The one that was used last, if it is still good; else null.
  std::unique_ptr<connection> take(std::string const& origin, boost::asio::any_io_executor const& strand);
  // Keeps it if there is room.
  void give_back(std::string const& origin, std::unique_ptr<connection> c);
  std::size_t size() const;

private:
  using clock = std::chrono::steady_clock;
  struct idle {
    idle(std::string to, boost::asio::any_io_executor on, std::unique_ptr<connection> c)
        : origin(std::move(to)), strand(std::move(on)), since(clock::now()), kept(std::move(c)) {}
    std::string origin;
    boost::asio::any_io_executor strand;
    clock::time_point since;
    std::unique_ptr<connection> kept;
  };
  void drop_all_of(boost::asio::execution_context& loop) noexcept override;

  std::size_t const most_;
  std::chrono::milliseconds const longest_;
  mutable std::mutex lock_;
  std::vector<idle> idle_;  // the newest last
};

}  // namespace weir::net::detail
