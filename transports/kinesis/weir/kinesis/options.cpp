#include <weir/kinesis/options.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/lease_worker.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include <string_view>
#include <utility>

namespace weir::kinesis {
namespace {

void require(bool holds, std::string_view what, std::string why) {
  if (!holds) throw error(weir::errc::invalid_option, "kinesis: cannot use " + std::string(what), std::move(why));
}

}  // namespace

void options::check() const {
  require(!stream.empty(), "stream", "none is named");
  static constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  bool const is_name = consumer.size() <= 128 && consumer.find_first_not_of(of_names) == std::string::npos;
  require(consumer.starts_with("arn:") || is_name, "consumer",
          "\"" + consumer + "\" is neither an ARN nor up to 128 letters, digits, _ . and -");
  auto const type = start.which();
  require(type != starting_position::type::at_sequence_number && type != starting_position::type::after_sequence_number, "start",
          "a sequence number is of one shard; give it by positions");
  for (auto const& [id, number] : positions) {
    require(!id.empty(), "positions", "a shard has no id");
    std::string what = "of " + id + ", \"";
    what += number;
    require(position_of(number).has_value(), "positions", what + "\" is no sequence number");
  }
  require(limit >= 1 && limit <= 10'000, "limit", std::to_string(limit) + " is not from 1 to 10,000");
  require(poll.count() > 0, "poll", "it has to be more than nothing");
  require(idle_poll >= poll, "idle_poll", "it is shorter than poll");
  require(discover.count() > 0, "discover", "it has to be more than nothing");
  require(most_requests >= 1, "most_requests", "it has to be at least 1");
  if (!leases) return;
  require(!leases->table.empty(), "leases", "their table has no name");
  require(positions.empty(), "positions", "with leases, it is in their table where shards begin");
  [[maybe_unused]] lease_worker const refuses("what cannot be", leases->how, 1);
}

}  // namespace weir::kinesis
