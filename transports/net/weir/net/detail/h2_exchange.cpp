#include <weir/net/detail/h2_exchange.hpp>

#include <weir/error.hpp>
#include <weir/net/detail/h2_connection.hpp>

#include <utility>

namespace weir::net::detail {

h2_exchange::h2_exchange(std::shared_ptr<h2_connection> by, std::int32_t id, std::shared_ptr<h2_stream> stream)
    : by_(std::move(by)), id_(id), stream_(std::move(stream)) {
  by_->exchanges_.emplace(id_, this);
}

h2_exchange::~h2_exchange() { by_->forget(id_); }

task<> h2_exchange::wait_for_head() {
  while (!stream_->answered && !stream_->failure) co_await changed_.wait();
}

task<std::string_view> h2_exchange::read() {
  if (!piece_.empty()) {
    by_->consume(id_, piece_.size());
    piece_.clear();
  }
  while (stream_->body.empty() && !stream_->ended && !stream_->failure) co_await changed_.wait();
  if (stream_->body.empty() && stream_->failure) throw error(stream_->failure->code, "http: no whole reply", stream_->failure->why);
  std::swap(piece_, stream_->body);
  co_return std::string_view(piece_);
}

}  // namespace weir::net::detail
