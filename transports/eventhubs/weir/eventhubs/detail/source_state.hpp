#pragma once
#include <weir/eventhubs/detail/client_state.hpp>
#include <weir/eventhubs/detail/sharing_state.hpp>
#include <weir/eventhubs/options.hpp>
#include <weir/eventhubs/receiver_options.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

// How its partitions are read, but for where they begin.
receiver_options receiver_options_of(options const& of);

// What a source has, and the readings of its partitions, which may outlive it. Strand only.
class source_state {
public:
  explicit source_state(options o);
  source_state(source_state const&) = delete;
  source_state& operator=(source_state const&) = delete;

  options const how;
  std::shared_ptr<client_state> const client;
  std::unique_ptr<sharing_state> const sharing;  // with other processes; null: all partitions are read here
  std::vector<std::string> partitions;           // that are known
  // Where partitions begin that have no checkpoint, once that is settled: when one is opened again, it is the same place.
  std::map<std::string, starting_position> starts;
};

}  // namespace weir::eventhubs::detail
