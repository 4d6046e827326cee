#include <weir/detail/signal_watch.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <csignal>
#include <thread>
#include <utility>

namespace weir::detail {

class signal_watch::parts {
public:
  parts(std::function<std::chrono::nanoseconds(int, int)> heard, std::function<void()> overdue)
      : heard_(std::move(heard)), overdue_(std::move(overdue)) {
    wait();
    thread_ = std::thread([this] { loop_.run(); });
  }
  parts(parts const&) = delete;
  parts& operator=(parts const&) = delete;
  ~parts() {
    loop_.stop();
    thread_.join();
  }

private:
  void wait() {
    signals_.async_wait([this](boost::system::error_code const& failed, int signal) {
      if (failed) return;
      timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(heard_(signal, before_++)));
      timer_.async_wait([this](boost::system::error_code const& stopped) {
        if (!stopped) overdue_();
      });
      wait();
    });
  }

  std::function<std::chrono::nanoseconds(int, int)> heard_;
  std::function<void()> overdue_;
  boost::asio::io_context loop_{1};
  boost::asio::signal_set signals_{loop_, SIGINT, SIGTERM};
  boost::asio::steady_timer timer_{loop_};
  int before_ = 0;
  std::thread thread_;
};

signal_watch::signal_watch(std::function<std::chrono::nanoseconds(int, int)> heard, std::function<void()> overdue)
    : parts_(std::make_unique<parts>(std::move(heard), std::move(overdue))) {}
signal_watch::~signal_watch() = default;

}  // namespace weir::detail
