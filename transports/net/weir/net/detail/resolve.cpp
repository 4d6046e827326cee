#include <weir/net/detail/resolve.hpp>

#include <weir/asio.hpp>
#include <weir/net/detail/failure.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {
// Shared with the completion, which may come when nobody waits any more.
struct lookup {
  explicit lookup(asio::any_io_executor const& executor) : resolver(executor), done(executor, asio::steady_timer::time_point::max()) {}
  tcp::resolver resolver;
  asio::steady_timer done;
  bool arrived = false;
  boost::system::error_code failed;
  std::vector<tcp::endpoint> found;
};
}  // namespace

task<std::vector<tcp::endpoint>> resolve(std::string host, std::uint16_t port) {
  context& own = co_await current_context();
  auto const asked = std::make_shared<lookup>(own.environment().executor());
  asked->resolver.async_resolve(host, std::to_string(port), tcp::resolver::numeric_service,
                                [asked](boost::system::error_code const& failed, tcp::resolver::results_type const& found) {
                                  asked->arrived = true;
                                  asked->failed = failed;
                                  for (auto const& f : found) asked->found.push_back(f.endpoint());
                                  asked->done.cancel();
                                });
  (void)co_await asked->done.async_wait(asio::as_tuple(use));
  if (!asked->arrived) weir::detail::throw_cancelled();
  if (asked->failed) fail_to_resolve(asked->failed, host);
  co_return std::move(asked->found);
}

}  // namespace weir::net::detail
