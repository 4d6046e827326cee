#pragma once
#include <weir/aws/credentials_cache.hpp>
#include <weir/aws/endpoint.hpp>
#include <weir/aws/retry_settings.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_options.hpp>
#include <weir/retry_policy.hpp>

#include <optional>

namespace weir::dynamodb {

/// Where DynamoDB is, and how it is called: `dynamodb::client client({.where = {.region = "eu-west-1"}});`.
struct client_options {
  /// Region, endpoint and profile; what is empty is looked for as `aws::resolve` says.
  aws::endpoint_options where;
  /// Who signs. Null: who the environment, the shared files, the container or the machine says (`aws::credentials_chain::standard`).
  std::optional<aws::credentials_cache> credentials;
  /// How often, and how late, a call is made again that failed for a while (`condition::retryable`). A write whose reply was lost may have
  /// been done, so a condition may be refused because of the write itself. Null: AWS_MAX_ATTEMPTS times, else 10, as the SDKs do with
  /// DynamoDB, from 50 ms on, up to 20 s (`aws::resolve_retries`).
  std::optional<retry_policy> retry;
  /// Null: AWS_RETRY_MODE, else `standard`.
  std::optional<aws::retry_mode> retry_mode;
  net::http_options http;
  /// The environment in which all that is looked for.
  aws::variables from = aws::process_variables();
};

}  // namespace weir::dynamodb
