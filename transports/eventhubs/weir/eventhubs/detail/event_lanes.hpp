#pragma once
#include <weir/error.hpp>
#include <weir/eventhubs/outgoing_event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weir::eventhubs::detail {

// Events on their way to one address: a lane for each partition key, in which they stay in order, as no batch goes off before the one in
// front of it has been taken. Without I/O.
class event_lanes {
public:
  // `most_bytes`: of a batch. Throws `errc::malformed`, `too_large`.
  void add(outgoing_event const& event, std::size_t most_bytes);
  // Takes over what another one has.
  void append(event_lanes later);
  bool empty() const noexcept { return left_ == 0; }
  // Events that were not taken.
  std::size_t left() const noexcept { return left_; }

  // Another batch: as many events of a lane as make a message of at most `most_bytes`; the lane's number, and the message, which holds
  // until the next call. Null: all that is left is under way, or the next event is larger than that by itself (`fault`).
  struct batch {
    std::size_t lane;
    std::string_view message;
  };
  std::optional<batch> next(std::size_t most_bytes);
  std::optional<error> const& fault() const noexcept { return fault_; }
  // What has become of a lane's batch: it is done with, or is to go again.
  void taken(std::size_t lane);
  void again(std::size_t lane);

private:
  struct lane {
    std::string head;      // of each batch
    std::string sections;  // a message in each
    std::deque<std::uint32_t> sizes;
    std::size_t gone = 0;       // bytes of the sections that were taken
    std::size_t under_way = 0;  // sections that are
  };
  lane& lane_of(std::string const& key);
  void wait_for_turn(std::size_t number);

  std::map<std::string, std::size_t, std::less<>> by_key_;
  std::deque<lane> lanes_;
  std::deque<std::size_t> turn_;  // lanes that have something to send, and nothing under way
  std::size_t left_ = 0;
  std::optional<error> fault_;
  std::string scratch_, message_;
};

}  // namespace weir::eventhubs::detail
