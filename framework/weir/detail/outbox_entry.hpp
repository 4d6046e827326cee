#pragma once
#include <weir/outbox_id.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What a checkpoint has of messages, as entries of `outbox_id`: under "bar:closed/00000000000000000007" the payload
// of a message, under "bar:closed/" the number of the last one there was.
namespace weir::detail {

struct outbox_entry {
  std::string topic;
  std::optional<std::uint64_t> number;  // null: of the last one there was
};

state_change put_message(std::string_view topic, std::uint64_t number, std::string_view payload);
state_change erase_message(std::string_view topic, std::uint64_t number);
state_change put_last_number(std::string_view topic, std::uint64_t number);

// Throws errc::corrupt for a key that is none of the two.
outbox_entry parse_outbox_key(std::string_view key);

}  // namespace weir::detail
