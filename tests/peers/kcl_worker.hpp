#pragma once
#include "support/child_program.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// What the processor of a worker of KCL was told, in order.
struct kcl_deed {
  std::string what;       ///< "begin", "record", "lost", "ended", "handed_over"
  std::string shard;      ///< id
  std::string key, data;  ///< of a record
};

/// A worker of Amazon's Kinesis Client Library for Java, version 3: its daemon for processors in other languages, with one in Python, which
/// notes what it is told and checkpoints behind each batch. It reads by polling, and ends with this object.
class kcl_worker {
public:
  enum class mode : std::uint8_t {
    version_3,          ///< its leader gives leases to workers that report how busy they are
    compatible_with_2,  ///< each worker takes its share, as all of version 2 do, until all of them report
  };
  struct options {
    std::string kinesis, dynamodb;  ///< URLs
    std::string stream, table;      ///< `table` is what it calls the application
    std::string name;
    int failover_ms = 3'000;  // a machine may be busy
    mode as = mode::version_3;
  };
  /// The folder of its jars. Null, and the running test is reported as skipped, where it cannot be had, or cannot run.
  static std::optional<std::filesystem::path> jars();

  /// Everything that it writes goes into `folder`.
  kcl_worker(std::filesystem::path const& jars, std::filesystem::path folder, options const& o);

  /// Ends it at once, so that it gives nothing back.
  void kill();
  /// Of so far.
  std::vector<kcl_deed> deeds() const;
  /// What it logs.
  std::string log() const;

private:
  std::filesystem::path const folder_;
  child_program java_;
};

}  // namespace weir::test
