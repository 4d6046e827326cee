#pragma once
#include <weir/net/http_client.hpp>
#include <weir/outside_write.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>
#include <weir/webhook/batch.hpp>
#include <weir/webhook/options.hpp>
#include <weir/webhook/signer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir::webhook {

/// Who gets the rows of a sink, whatever they are: sends batches and waits until they are taken. From any strand.
class receiver {
public:
  /// Throws `errc::invalid_option` for options out of their ranges.
  explicit receiver(options o);

  options const& chosen() const noexcept { return options_; }
  batcher new_batcher() const noexcept { return {options_.form, options_.most_rows, options_.most_bytes}; }
  /// Batches for the checkpoint to come, in order. What has been taken is not sent again when a try to write is repeated.
  static std::shared_ptr<outside_write> write(std::shared_ptr<receiver const> to, std::vector<batch> batches);
  /// Sends one until it is taken, as often as the options say. Fails with what the last try said.
  task<> deliver(std::string key, batch const& b) const;

private:
  task<> try_once(std::string const& key, batch const& b, std::chrono::nanoseconds& asked_to_wait) const;

  options options_;
  signer signer_;
  std::string origin_;
  net::http_client client_;
};

}  // namespace weir::webhook
