#pragma once
#include <weir/aws/credentials_cache.hpp>
#include <weir/aws/endpoint.hpp>
#include <weir/aws/retry_settings.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http2_options.hpp>
#include <weir/net/http_options.hpp>
#include <weir/retry_policy.hpp>

#include <cstddef>
#include <optional>

namespace weir::kinesis {

/// Where Kinesis is, and how it is called: `kinesis::client client({.where = {.region = "eu-west-1"}});`.
struct client_options {
  /// Region, endpoint and profile; what is empty is looked for as `aws::resolve` says.
  aws::endpoint_options where;
  /// Who signs. Null: who the environment, the shared files, the container or the machine says (`aws::credentials_chain::standard`).
  std::optional<aws::credentials_cache> credentials;
  /// How often, and how late, a call is made again that failed for a while (`condition::retryable`). PutRecords, SplitShard and the like
  /// may have happened although the reply was lost. Null: AWS_MAX_ATTEMPTS times, else 3, up to 20 s apart
  /// (`aws::resolve_retries`).
  std::optional<retry_policy> retry;
  /// Null: AWS_RETRY_MODE, else `standard`.
  std::optional<aws::retry_mode> retry_mode;
  /// Of the client. A reply may have 10,000 records, or one of 10 MiB (13.4 MB as JSON), so bodies may be larger than usual; and 64
  /// connections are kept, as many as a source uses at a time, since shards are read several at once.
  net::http_options http = for_many_shards();
  /// Of subscriptions, whose `http` is the one above. Events come every few seconds, so that one which brings nothing for 20 s
  /// (`read_timeout`) is over.
  net::http2_options http2 = with_events();
  /// The environment in which all that is looked for.
  aws::variables from = aws::process_variables();

private:
  static net::http_options for_many_shards() {
    net::http_options o;
    o.most_body = std::size_t{32} * 1024 * 1024;
    o.most_idle = 64;
    return o;
  }
  static net::http2_options with_events() {
    net::http2_options o;
    o.read_timeout = std::chrono::seconds(20);
    return o;
  }
};

}  // namespace weir::kinesis
