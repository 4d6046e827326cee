#pragma once
#include <weir/instant.hpp>

#include <optional>
#include <string>

namespace weir::lambda {

/// One call of the function, as the Runtime API hands it out. A value.
/// Source: "Using the Lambda runtime API for custom runtimes", AWS Lambda developer guide.
struct invocation {
  invocation() = default;

  std::string request_id;           ///< Lambda-Runtime-Aws-Request-Id; what its answer goes by
  std::optional<instant> deadline;  ///< Lambda-Runtime-Deadline-Ms: when the service ends the process; null: not said
  std::string function_arn;         ///< Lambda-Runtime-Invoked-Function-Arn; empty: not said, as for the others
  std::string trace_id;             ///< Lambda-Runtime-Trace-Id, the X-Ray header: "Root=1-5bef4de7-...;Parent=...;Sampled=1"
  std::string client_context;       ///< Lambda-Runtime-Client-Context, JSON
  std::string cognito_identity;     ///< Lambda-Runtime-Cognito-Identity, JSON
  std::string tenant_id;            ///< Lambda-Runtime-Aws-Tenant-Id
  std::string payload;              ///< what the function was invoked with
};

}  // namespace weir::lambda
