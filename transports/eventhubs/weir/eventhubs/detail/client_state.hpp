#pragma once
#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/detail/hub_connection.hpp>
#include <weir/eventhubs/detail/hub_management.hpp>
#include <weir/eventhubs/detail/hub_sender.hpp>
#include <weir/eventhubs/detail/sender_desk.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

// What the copies of a client share. From any strand; each run has a connection of its own, or that of a run around it which lends it.
class client_state {
public:
  // Throws `errc::invalid_option`.
  explicit client_state(client_options options);
  client_state(client_state const&) = delete;
  client_state& operator=(client_state const&) = delete;

  // The connection of the run of this context, which all users of it share. To be entered at once.
  std::shared_ptr<hub_connection> connection(context const& of);
  std::shared_ptr<hub_management> management(context const& of);
  // What sends to a partition, or where the service likes (""): of the run around all that this context is inside of, where it stays.
  std::shared_ptr<hub_sender> sender(context const& of, std::string const& partition);
  // For as long as it lives, the run that it is made in has its connection for all on the strand, such as the partitions of a pipeline, of
  // which each is a run of its own.
  class lending {
  public:
    lending(std::shared_ptr<client_state> s, context const& of);
    lending(lending const&) = delete;
    lending& operator=(lending const&) = delete;
    ~lending();

  private:
    std::shared_ptr<client_state> const state_;
    weir::detail::nursery const* const run_;
  };
  std::string const& event_hub() const noexcept { return event_hub_; }
  std::string const& host() const noexcept { return host_; }  // of the namespace, without a port
  std::string const& authority() const noexcept { return authority_; }
  std::chrono::milliseconds timeout() const noexcept { return timeout_; }
  std::size_t most_batch_bytes() const noexcept { return most_batch_bytes_; }
  // For who needs one: another one each time.
  std::uint32_t seed();
  std::string unique_name();

private:
  struct entry {
    weir::detail::nursery* run;
    environment const* lent_on;  // null: to nobody
    std::weak_ptr<hub_connection> connection;
    std::weak_ptr<hub_management> management;
    std::weak_ptr<sender_desk> senders;
  };
  entry& entry_of(context const& of);
  entry& entry_of(weir::detail::nursery& run);
  std::shared_ptr<hub_connection> connection(entry& e);
  std::uint32_t next_seed();

  std::string host_, authority_, event_hub_;
  token_source tokens_;
  stream_opener open_;
  std::chrono::milliseconds timeout_;
  std::size_t most_batch_bytes_;
  std::mutex lock_;
  std::uint32_t seed_, made_ = 0;
  std::vector<entry> entries_;
};

}  // namespace weir::eventhubs::detail
