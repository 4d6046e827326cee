#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace command_line {

/// A stream of Kinesis, and how it is reached. What is empty is looked for as AWS' own tools do: AWS_REGION, AWS_ENDPOINT_URL_KINESIS,
/// profiles; who signs always is.
struct kinesis_place {
  std::string stream;    ///< a name or an ARN
  std::string endpoint;  ///< of an emulator or a proxy: "http://localhost:4567"
  std::string region;    ///< "eu-west-1"
};

/// Where reading a stream of Kinesis, or an event hub, begins.
struct reading_start {
  enum class kind : std::uint8_t { trim_horizon, latest, time };
  kind what = kind::trim_horizon;
  std::int64_t time = 0;  ///< of `time`: of arrival, ns since the epoch
};

/// Adds `--endpoint` and `--region`.
void add_endpoint(CLI::App& app, std::string& endpoint, std::string& region, std::string const& group);

/// Adds an option that takes `latest`, `earliest` or the service's word for the oldest record that is kept, an RFC 3339 time, or how long
/// ago, such as 10m. `start` is also its default.
CLI::Option* add_reading_start(CLI::App& app, std::string const& flag, reading_start& start, std::string const& what,
                               std::string const& oldest = "trim_horizon");

}  // namespace command_line
