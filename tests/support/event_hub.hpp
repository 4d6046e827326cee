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

/// An event hub of the namespace "ns.example" in memory, as far as tests of its readers need it: SASL, `$cbs`, `$management`, and receivers
/// of partitions with their filters, epochs and credit. Strand only.
class event_hub {
public:
  explicit event_hub(std::size_t partitions, std::string name = "ticks");
  event_hub(event_hub const&) = delete;
  event_hub& operator=(event_hub const&) = delete;
  ~event_hub();

  /// Another event. Its sequence number is the count of those before, its offset text that is no number.
  void add(std::size_t partition, std::string body);
  void add(std::size_t partition, std::size_t count);  ///< "0", "1", ... by their sequence numbers
  /// What a client opens connections by. The hub outlives them.
  eventhubs::stream_opener opener();

  // Faults.

  std::size_t refuse_connections = 0;              ///< so many from now on
  std::size_t refuse_tokens = 0;                   ///< so many, with status 401
  std::size_t busy_answers = 0;                    ///< of $management: so many, with status 503
  std::size_t reject_requests = 0;                 ///< of $management: so many messages are not taken, as the service is busy
  std::size_t unanswered = 0;                      ///< requests of $management and $cbs: so many are heard, and get no answer
  std::string refuse_links;                        ///< of partitions: with this condition
  bool silent = false;                             ///< nothing is said any more, also not that it is there
  bool malformed = false;                          ///< events have no sequence number
  std::optional<std::size_t> drop_after;           ///< so many bytes more, all connections break, wherever in a frame that is
  std::string garbage;                             ///< said once, in place of a frame
  std::optional<std::chrono::seconds> token_life;  ///< after which receivers without a newer one are let go of; null: for ever
  std::function<void()> on_attach;                 ///< called when a receiver of a partition asks to be let in
  void detach_receivers(std::string_view condition);
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

private:
  class end;
  class memory_stream;
  struct event {
    std::string body, offset;
    std::int64_t enqueued_ms;
  };
  task<std::unique_ptr<net::byte_stream>> open();
  void pump();

  std::string name_;
  std::vector<std::vector<event>> partitions_;
  std::vector<std::shared_ptr<end>> ends_;
};

}  // namespace weir::test
