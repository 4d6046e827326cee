#pragma once
#include <weir/aws/credentials.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <string>

namespace weir::aws::detail {

// The credentials that the command of `credential_process` prints, a JSON object of version 1. The command is run by the shell, as most
// SDKs do, so that quotes and variables mean what they do there. `profile`: in which it stands.
// Throws errc::rejected, with what the command has written to standard error, when its status is not 0; timed_out, malformed for another
// output, access_denied for credentials whose time is up. No message has the command or its output, in which there are secrets.
// Source: "Process credential provider", AWS SDKs and tools reference guide.
task<credentials> process_credentials(std::string command, std::string profile, std::chrono::milliseconds limit = std::chrono::minutes(1));

}  // namespace weir::aws::detail
