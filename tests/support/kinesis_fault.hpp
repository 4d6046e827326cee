#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// What goes wrong with a call that a server gets: `server.fail("GetRecords", kinesis_fault::throttle())`.
class kinesis_fault {
public:
  enum class kind : std::uint8_t { refuse, status_only, fail_entries, lose_reply, cut_reply, close, hang, late, garbage };

  /// Answers with this error and does nothing.
  static kinesis_fault refuse(std::string type, std::string message = "said so", unsigned status = 400) {
    kinesis_fault f(kind::refuse);
    f.type = std::move(type);
    f.message = std::move(message);
    f.status = status;
    return f;
  }
  /// As Kinesis does when a shard is read or written too often.
  static kinesis_fault throttle() {
    return refuse("ProvisionedThroughputExceededException",
                  "Rate exceeded for shard shardId-000000000000 in stream ticks under account 000000000000.");
  }
  /// A status without a body: 500, as kinesis-mock does, or 503 of a proxy.
  static kinesis_fault empty(unsigned status = 500) {
    kinesis_fault f(kind::status_only);
    f.status = status;
    return f;
  }
  /// Of PutRecords: takes all but these, which get this error.
  static kinesis_fault fail_entries(std::vector<std::size_t> which, std::string type = "ProvisionedThroughputExceededException") {
    kinesis_fault f(kind::fail_entries);
    f.entries = std::move(which);
    f.type = std::move(type);
    f.message = "Rate exceeded for shard shardId-000000000000 in stream ticks under account 000000000000.";
    return f;
  }
  /// Does it, and closes the connection in place of an answer.
  static kinesis_fault lose_reply() { return kinesis_fault(kind::lose_reply); }
  /// Does it, and closes the connection in the middle of the body.
  static kinesis_fault cut_reply() { return kinesis_fault(kind::cut_reply); }
  /// Does nothing, and closes the connection.
  static kinesis_fault close() { return kinesis_fault(kind::close); }
  /// Does nothing, and does not answer.
  static kinesis_fault hang() { return kinesis_fault(kind::hang); }
  /// Does it, and answers after so long, by the system's clock.
  static kinesis_fault late(std::chrono::milliseconds by) {
    kinesis_fault f(kind::late);
    f.delay = by;
    return f;
  }
  /// Does it, and answers 200 with a body that is none.
  static kinesis_fault garbage(std::string body = "<html>not Kinesis</html>") {
    kinesis_fault f(kind::garbage);
    f.message = std::move(body);
    return f;
  }

  kind what;
  std::string type, message;
  unsigned status = 200;
  std::vector<std::size_t> entries;
  std::chrono::milliseconds delay{};

private:
  explicit kinesis_fault(kind k) : what(k) {}
};

}  // namespace weir::test
