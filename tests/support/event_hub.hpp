#pragma once
#include <weir/eventhubs/stream_opener.hpp>
#include <weir/net/byte_stream.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

/// An event hub of the namespace "ns.example" in memory, as far as tests of its clients need it: SASL, `$cbs`, `$management`, receivers of
/// partitions with their filters, epochs and credit, and senders with their batches. Strand only.
class event_hub {
public:
  explicit event_hub(std::size_t partitions, std::string name = "ticks");
  event_hub(event_hub const&) = delete;
  event_hub& operator=(event_hub const&) = delete;
  ~event_hub();

  /// Another event. Its sequence number is the count of those before, its offset text that is no number.
  void add(std::size_t partition, std::string body);
  void add(std::size_t partition, std::size_t count);  ///< "0", "1", ... by their sequence numbers
  /// From now on there are so many partitions, more than before.
  void grow(std::size_t partitions);
  /// What a client opens connections by. The hub outlives them.
  eventhubs::stream_opener opener();

  // Faults.

  std::size_t refuse_connections = 0;              ///< so many from now on
  std::size_t refuse_tokens = 0;                   ///< so many, with status 401
  std::size_t busy_answers = 0;                    ///< of $management: so many, with status 503
  std::size_t reject_requests = 0;                 ///< of $management: so many messages are not taken, as the service is busy
  std::uint64_t most_batch_bytes = 1024 * 1024;    ///< that a sender is told
  std::uint32_t send_credit = 100;                 ///< of a sender; given again when it is used up
  std::size_t busy_sends = 0;                      ///< batches: so many are rejected, as the service is busy
  std::string reject_sends;                        ///< batches: with this condition
  std::size_t release_sends = 0;                   ///< batches: so many are given back
  std::size_t unconfirmed_sends = 0;               ///< batches: so many are taken, and their senders do not get to know
  std::size_t unanswered = 0;                      ///< requests of $management and $cbs: so many are heard, and get no answer
  std::string refuse_links;                        ///< of partitions, and of senders: with this condition
  bool silent = false;                             ///< nothing is said any more, also not that it is there
  bool malformed = false;                          ///< events have no sequence number
  std::optional<std::size_t> drop_after;           ///< so many bytes more, all connections break, wherever in a frame that is
  std::string garbage;                             ///< said once, in place of a frame
  std::optional<std::chrono::seconds> token_life;  ///< after which receivers without a newer one are let go of; null: for ever
  std::function<void()> on_attach;                 ///< called when a receiver of a partition asks to be let in
  std::function<void()> on_batch;                  ///< called when a batch has come, before it is looked at
  void detach_receivers(std::string_view condition);
  void detach_senders(std::string_view condition);
  void steal(std::size_t partition);
  void end_sessions();
  void expire_tokens();  ///< and detaches all receivers, as the service does
  void close_connections(std::string_view condition);
  void drop_connections();

  // What was seen.

  std::size_t connections = 0;          ///< that were opened
  std::size_t live = 0;                 ///< that are open
  std::size_t requests = 0;             ///< of $management
  std::vector<std::string> tokens;      ///< audiences of those that were put
  std::vector<std::string> filters;     ///< of receivers that asked to be let in
  std::vector<std::string> names;       ///< of receivers, beside those
  std::uint32_t most_credit = 0;        ///< that a receiver has had
  std::vector<std::size_t> sent;        ///< events, by partition
  std::vector<std::int64_t> attach_ms;  ///< when receivers asked, by the clock of the client

  /// A batch that was taken.
  struct batch {
    std::string address, key;
    std::vector<std::string> bodies, keys, ids;  ///< of its events; message ids, "" for none
    std::size_t bytes = 0;
    std::int64_t ms = 0;  ///< by the clock of the client
  };
  std::vector<batch> batches;
  std::size_t refused_batches = 0;  ///< that came, and were not taken
  std::size_t senders_attached = 0;
  std::vector<std::string> bodies(std::size_t partition) const;

private:
  class end;
  class memory_stream;
  struct event {
    std::string body, offset;
    std::int64_t enqueued_ms;
  };
  task<std::unique_ptr<net::byte_stream>> open();
  void take(std::string const& address, std::string_view bytes, std::uint32_t format, std::int64_t ms);
  void pump();

  std::string name_;
  std::vector<std::vector<event>> partitions_;
  std::vector<std::shared_ptr<end>> ends_;
};

}  // namespace weir::test
