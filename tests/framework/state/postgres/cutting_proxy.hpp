#pragma once
#include "support/temporary_folder.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace weir::test {

/// What happens to the next COMMIT that passes.
enum class cut {
  none,
  before_commit,  ///< the server never sees it
  with_commit,    ///< the connection ends right behind it, while the server is at it
  before_reply,   ///< the server has done it, and the client is not told
  silence,        ///< the server never sees it, and the client is not told that it has lost it
};

/// Stands between a client and a server on a Unix socket, and cuts connections at the worst moment. A cut happens once.
class cutting_proxy {
public:
  cutting_proxy(std::string server_sockets, int port);
  cutting_proxy(cutting_proxy const&) = delete;
  cutting_proxy& operator=(cutting_proxy const&) = delete;
  ~cutting_proxy();

  std::string conninfo() const;
  void next(cut how) noexcept { next_ = how; }
  /// Whether the cut that was asked for has happened.
  bool has_cut() const noexcept { return next_ == cut::none; }

private:
  struct pair;
  void serve();
  bool from_client(pair& p);
  bool from_server(pair& p);

  temporary_folder folder_;
  std::string server_;
  int port_;
  int listening_ = -1;
  int wake_[2] = {-1, -1};
  std::atomic<cut> next_ = cut::none;
  std::thread thread_;
};

}  // namespace weir::test
