#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/hash_key.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace weir::kinesis::detail {

// What the service lists a shard as.
enum class listed_as : std::uint8_t { open, closed, gone };

// Asks it, once.
task<listed_as> look_up(std::shared_ptr<source_state> s, std::string id);
// The keys of a shard, which is looked for where it is not known.
task<hash_key_range> keys_of(std::shared_ptr<source_state> s, std::string id);

}  // namespace weir::kinesis::detail
