#pragma once
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>
#include <weir/webhook/options.hpp>
#include <weir/webhook/receiver.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::webhook {

/// A sink that sends rows to an HTTP server: the rows in front of each checkpoint, in batches, one POST after the other, in order.
/// ```cpp
/// webhook::sink<bar> const hook({.url = "https://example.com/bars", .secrets = {secret}}, [](bar const& b) { return to_json(b); });
/// pipeline.use_sink("bars", hook);
/// ```
/// A request has the rows as `options::form` says, an Idempotency-Key, and, where there are secrets, the headers of Standard Webhooks:
/// webhook-id (the same key), webhook-timestamp (of the try), webhook-signature. Its answer is waited for, whose status decides: see
/// `failure_in`; the wait before another try is on the pipeline's clock. A commit that is tried again goes on behind the last batch that
/// was taken.
///
/// Guarantee: at least once. After a crash between requests and commit, rows come again: under the same key where they make the same
/// batch of the same checkpoint (always, when checkpoints come by number of records and the pipeline is deterministic), under another one
/// where the batch has other rows, so that dropping keys that are known never loses any. Where rows know who they are, `keyed_sink` has
/// them once.
/// Errors, which fail the commit: those of `net::http_client` and `failure_in`, with origin and key. Rows that the receiver refuses
/// (`errc::rejected`), or that cannot be sent (`errc::too_large`, `malformed`), are the record's (`failure_policy`).
/// A copy is the same sink. Thread-safety: as a value.
template <class Row> class sink {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "webhook";
  static constexpr guarantee promises = guarantee::at_least_once;

  /// `json_of(row)`: a JSON text; not empty, and without line breaks where the form is lines. Throws `errc::invalid_option`.
  template <class JsonOf> sink(options o, JsonOf json_of)
      : to_(std::make_shared<receiver const>(std::move(o))), json_of_(std::move(json_of)) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    batcher batches = to_->new_batcher();
    for (Row const& row : rows) batches.add(json_of_(row));
    return receiver::write(to_, batches.take());
  }

private:
  std::shared_ptr<receiver const> to_;
  std::function<std::string(Row const&)> json_of_;
};

}  // namespace weir::webhook
