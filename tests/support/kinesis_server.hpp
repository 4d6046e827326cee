#pragma once
#include "support/certificate.hpp"
#include "support/kinesis_fault.hpp"
#include "support/kinesis_protocol.hpp"

#include <weir/aws/credentials.hpp>
#include <weir/instant.hpp>
#include <weir/kinesis/client_options.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// Kinesis for tests, on a free port of this machine, in threads of its own: keeps streams, *verifies signatures*, and fails as it is told.
/// ```cpp
/// test::kinesis_server server;
/// server.create("ticks", 4);
/// server.fail("GetRecords", test::kinesis_fault::throttle(), 2);
/// kinesis::client const client(server.client_options());
/// ```
/// Its time is that of the newest request, to the second, so that it goes along with a virtual clock; or what `clock` says.
class kinesis_server {
public:
  struct options {
    kinesis_protocol::options protocol;
    std::vector<aws::credentials> known{{"AKIDTEST", "secret"}};
    std::string region = "us-east-1";
    std::optional<certificate> secure;
    std::function<instant()> clock;  ///< from any thread
  };
  kinesis_server() : kinesis_server(options()) {}
  explicit kinesis_server(options o);
  kinesis_server(kinesis_server const&) = delete;
  kinesis_server& operator=(kinesis_server const&) = delete;
  ~kinesis_server();

  /// For a client that is let in, patient with a busy machine, whose tries are 1 s, 2 s, ... apart, with no more than three.
  kinesis::client_options client_options() const;
  std::string url(std::string const& host = "127.0.0.1") const;

  /// The next `times` calls of an operation fail so, behind those that were said before; `after`: so many good ones come first.
  void fail(std::string const& operation, kinesis_fault f, std::size_t times = 1, std::size_t after = 0);
  /// The operations that were called, faults and refusals included, in order.
  std::vector<std::string> calls() const;
  std::size_t calls(std::string const& operation) const;

  void create(std::string const& name, std::size_t shards);
  /// Puts a record by its key; says its sequence number.
  std::string put(std::string const& stream, std::string partition_key, std::string data);
  void split(std::string const& stream, std::string const& shard_id);
  void merge(std::string const& stream, std::string const& shard_id, std::string const& adjacent_id);
  void set_shard_count(std::string const& stream, std::size_t target);
  /// Drops what arrived before `horizon`.
  void trim(std::string const& stream, instant horizon);
  void expire_iterators();
  /// What a stream is now: a copy.
  kinesis_stream stream(std::string const& name) const;
  instant now() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::test
