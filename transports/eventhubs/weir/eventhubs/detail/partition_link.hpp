#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/eventhubs/condition.hpp>
#include <weir/eventhubs/credit_window.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/eventhubs/record_unpacker.hpp>
#include <weir/eventhubs/selector.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

// What a receiver of a partition asks for.
struct partition_link_options {
  std::string event_hub, consumer_group = "$Default", partition;
  std::string receiver;                     // how the service names it in its messages
  std::optional<std::int64_t> owner_level;  // its epoch: one of a lower one loses the partition, and none may read beside it
  starting_position from;
  starting_position otherwise = from_earliest{};  // where the service no longer knows the position
  bool runtime = true;                            // asks how far the service has got
  std::uint32_t most_events = 300;
  std::size_t most_bytes = std::size_t{8} * 1024 * 1024;
};

// Why a link is gone.
struct link_loss {
  std::string condition, description;
  reaction does = reaction::again;
};

// The link by which one partition is read, without I/O: events of its connection in, records out. What it may be sent is bounded by what
// was taken. It remembers where it is, so that the next link goes on behind the last record, whatever became of this one.
class partition_link {
public:
  explicit partition_link(partition_link_options options);
  // "ticks/ConsumerGroups/$Default/Partitions/0".
  static std::string address_of(partition_link_options const& options);

  // Asks for the link in a session of its own, from behind the last record, or from the start that the options say.
  void open(amqp::connection& on, amqp::session_id session);
  // Takes an event of its session: false for any other.
  bool take(amqp::connection& on, amqp::connection_event const& event);
  // What came, moved out: taken, and so the service may send as much again. Null: the connection is gone.
  std::vector<record> records(amqp::connection* on);
  // The connection is gone, and the link with it.
  void disconnected();
  // A link cannot be asked for; it is lost, and may be tried again.
  void refused(std::string why);
  // It lets go of the partition.
  void close(amqp::connection& on);

  bool attached() const noexcept { return attached_; }
  std::size_t waiting() const noexcept { return ready_.size(); }
  // The link is not there any more, or was refused. `open` makes another.
  std::optional<link_loss> const& lost() const noexcept { return lost_; }
  // A message that could not be read: nothing behind it is taken.
  std::optional<amqp::errc> const& fault() const noexcept { return fault_; }
  std::optional<partition_runtime> const& runtime() const noexcept { return unpacker_.runtime(); }
  // Where the next link begins. From the latest on, and without an event yet: at what is the latest by then.
  starting_position next_start() const;

private:
  void arrived(amqp::connection& on, amqp::message_arrived const& message);
  void lose(amqp::error_view const& why);
  void grant(amqp::connection& on);
  void settle(amqp::connection& on);

  partition_link_options options_;
  std::string address_;
  record_unpacker unpacker_;
  credit_window window_;
  std::optional<amqp::session_id> session_;
  std::optional<amqp::link_id> link_;
  bool attached_ = false;
  std::optional<link_loss> lost_;
  std::optional<amqp::errc> fault_;
  std::optional<std::int64_t> last_;
  std::uint32_t first_open_ = 0, last_open_ = 0,
                open_ = 0;  // deliveries that the service does not know the outcome of: their ids, how many
  std::vector<record> ready_;
  std::vector<std::size_t> sizes_;  // of the messages that they came in
};

}  // namespace weir::eventhubs::detail
