#pragma once
#include <weir/detail/wait_list.hpp>
#include <weir/net/detail/h2_connection.hpp>
#include <weir/net/detail/loop_end.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weir::net::detail {

// Connections of HTTP/2 that are open, by origin and strand, and those that are being made. It does not keep them. From any strand. It has
// nothing of an event loop that has ended, of which it hears.
class h2_pool final : public loop_guest, public std::enable_shared_from_this<h2_pool> {
public:
  // One that is being made, for whoever needs another one like it. Of one strand.
  struct attempt {
    attempt(std::string to, boost::asio::any_io_executor on) : origin(std::move(to)), strand(std::move(on)) {}
    std::string const origin;
    boost::asio::any_io_executor const strand;
    weir::detail::wait_list over;
  };

  // One that takes another request; null: there is none.
  std::shared_ptr<h2_connection> find(std::string const& origin, boost::asio::any_io_executor const& strand);
  // The attempt that is under way; null: there is none.
  std::shared_ptr<attempt> under_way(std::string const& origin, boost::asio::any_io_executor const& strand) const;
  void add(std::string const& origin, boost::asio::any_io_executor const& strand, std::shared_ptr<h2_connection> const& c);
  std::size_t size() const;

  // An attempt for as long as it lives; then those who wait for it look again.
  class attempting {
  public:
    attempting(h2_pool& p, std::string const& origin, boost::asio::any_io_executor const& strand);
    attempting(attempting const&) = delete;
    attempting& operator=(attempting const&) = delete;
    ~attempting();

  private:
    h2_pool& pool_;
    std::shared_ptr<attempt> const mine_;
  };

private:
  void drop_all_of(boost::asio::execution_context& loop) noexcept override;
  struct entry {
    entry(std::string to, boost::asio::any_io_executor on, std::weak_ptr<h2_connection> c)
        : origin(std::move(to)), strand(std::move(on)), made(std::move(c)) {}
    std::string origin;
    boost::asio::any_io_executor strand;
    std::weak_ptr<h2_connection> made;
  };

  mutable std::mutex lock_;
  std::vector<entry> all_;
  std::vector<std::shared_ptr<attempt>> attempts_;
};

}  // namespace weir::net::detail
