#pragma once
#include <weir/postgres/connection_options.hpp>
#include <weir/state_store.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace weir::postgres {

/// Where a state store is kept, and how much it asks of the server.
struct state_store_options {
  state_store_options() = default;
  state_store_options(connection_options to, std::string in_schema = "weir") : connection(std::move(to)), schema(std::move(in_schema)) {}

  connection_options connection;
  /// The schema of its tables, 1 to 63 bytes; made on first use. Stores with one schema are one store.
  std::string schema = "weir";
  /// How many connections it has at most, >= 1, default 4. Calls beyond that wait for each other.
  std::size_t connections = 4;
  /// For how long a call goes on trying when the server, once reached, is lost, is being restarted or does not answer in time; >= 0,
  /// default 1 min.
  std::chrono::milliseconds patience = std::chrono::minutes(1);
};

/// Keeps checkpoints in a PostgreSQL database (14 or later), for workers on several machines; psql shows them:
/// ```
/// SELECT * FROM weir.overview;
/// SELECT encode(operator, 'escape'), encode(key, 'escape'), length(value) FROM weir.entries;
/// ```
/// A commit is one transaction under a lock of its key: when two workers commit upon the same version, one of them is `errc::stale`. One
/// that returned survives whatever the server's disk survives (synchronous_commit is never off). It takes three round trips, however many
/// changes it has, and one more when it is the first of its key.
///
/// A commit whose acknowledgement was lost is looked for behind the same lock, so that it cannot arrive after it was looked for. When the
/// server does not come back within `patience`, the failure says whether it is known; the same commit again finds out.
///
/// A load waits for a commit of its key that is under way, so that a worker which takes over from one that was killed does not begin with
/// a checkpoint that is about to be replaced.
///
/// Nothing blocks the strand. Cancellation is not looked at; time is the system's, under a virtual clock too. The tables and connections
/// are made by the first calls; a server which was never reached is reported at once. Each entry and head has a checksum, and a head the
/// number of its entries, so that damage is an error and not a wrong restart.
///
/// Limits: pipeline, stream and partition together, and operator and key together, have at most 2,600 bytes (they are indexed); a value
/// 256 MiB. Thread-safety: all functions, from any strand.
///
/// Errors: those of `postgres::connection`; `errc::incompatible` when the schema has tables of another program or of a later version of
/// Weir; `errc::corrupt` when something fails its check; `errc::stale` by `commit`; `errc::too_large` beyond the limits.
class state_store final : public weir::state_store {
public:
  /// Throws `errc::invalid_option`. Does not connect.
  explicit state_store(state_store_options options);
  ~state_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::postgres
