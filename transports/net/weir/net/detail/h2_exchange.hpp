#pragma once
#include <weir/detail/wait_list.hpp>
#include <weir/net/detail/h2_stream.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::net::detail {

class h2_connection;

// A request on a connection, and the reply to it. Its end resets what is under way. Strand only.
class h2_exchange {
public:
  h2_exchange(std::shared_ptr<h2_connection> by, std::int32_t id, std::shared_ptr<h2_stream> stream);
  h2_exchange(h2_exchange const&) = delete;
  h2_exchange& operator=(h2_exchange const&) = delete;
  ~h2_exchange();

  // Until the head of the reply is there, or it has failed.
  task<> wait_for_head();
  // The next piece of the body, valid until the next call, which says that it was taken. Empty: it is whole. Throws what has failed.
  task<std::string_view> read();

  h2_stream const& reply() const noexcept { return *stream_; }
  h2_stream& reply() noexcept { return *stream_; }

private:
  friend class h2_connection;
  std::shared_ptr<h2_connection> const by_;
  std::int32_t const id_;
  std::shared_ptr<h2_stream> const stream_;
  std::string piece_;
  weir::detail::wait_list changed_;
};

}  // namespace weir::net::detail
