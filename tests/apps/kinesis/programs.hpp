#pragma once
#include <weir/instant.hpp>

#include "support/kinesis_server.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/variables.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// What a user of AWS has in the environment: keys that the servers of the tests know, a region, and where the services are.
class aws_environment {
public:
  explicit aws_environment(std::string const& kinesis, std::string const& dynamodb = "http://127.0.0.1:1",
                           std::string const& secret = "secret")
      : all_({{"AWS_ACCESS_KEY_ID", "AKIDTEST"},
              {"AWS_SECRET_ACCESS_KEY", secret},
              {"AWS_REGION", "us-east-1"},
              {"AWS_EC2_METADATA_DISABLED", "true"},
              {"AWS_ENDPOINT_URL_KINESIS", kinesis},
              {"AWS_ENDPOINT_URL_DYNAMODB", dynamodb}}) {}

private:
  variables all_;
};

/// A server for programs, which have the system's clock. It forgets nothing.
inline kinesis_server::options by_the_clock() {
  kinesis_server::options o;
  o.clock = [] { return to_instant(std::chrono::system_clock::now()); };
  o.protocol.retention = std::chrono::hours(24 * 365);
  return o;
}

/// Whether there are programs to run; else the test is reported as skipped.
inline bool programs_ready() {
  bool const there = program_of("WEIR_TICKS_BINARY") && program_of("WEIR_BINARY");
  return there || !skip("WEIR_TICKS_BINARY and WEIR_BINARY name no programs");
}

inline ending run_ticks(std::vector<std::string> const& arguments, std::string const& folder, disturbance const& how = {}) {
  return run_program(program_of("WEIR_TICKS_BINARY").value(), arguments, folder, how);
}
/// `weir kinesis ...`.
inline ending run_tool(std::vector<std::string> arguments, std::string const& folder, disturbance const& how = {}) {
  arguments.insert(arguments.begin(), "kinesis");
  return run_program(program_of("WEIR_BINARY").value(), arguments, folder, how);
}

}  // namespace weir::test
