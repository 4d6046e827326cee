#include <weir/kinesis/detail/source_state.hpp>

#include <weir/kinesis/sequence_number.hpp>

#include <boost/asio/ip/host_name.hpp>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace weir::kinesis::detail {
namespace {

constexpr std::uint64_t behind_all = (std::uint64_t{1} << 61) - 1;  // that came in one record

std::unique_ptr<shard_sharing> sharing_by(options const& o) {
  if (!o.leases) return nullptr;
  if (o.leases->service) return std::make_unique<shard_sharing>(o.leases->service);
  dynamodb::client_options there = o.leases->dynamodb;
  if (there.where.region.empty()) there.where.region = o.client.where.region;
  if (there.where.profile.empty()) there.where.profile = o.client.where.profile;
  if (!there.credentials) there.credentials = o.client.credentials;
  return std::make_unique<shard_sharing>(make_lease_service(std::move(there), o.leases->table));
}

starting_position begin_of(lease_checkpoint const& c, starting_position const& configured) {
  using enum starting_position::type;
  if (c.what() == lease_checkpoint::kind::latest) return starting_position::latest();
  if (c.what() == lease_checkpoint::kind::at_timestamp && configured.which() == at_timestamp) return configured;
  return starting_position::trim_horizon();
}

}  // namespace

source_state::source_state(options o)
    : how(std::move(o)),
      service(how.service ? how.service : make_shard_service(how.client)),
      graph(how.start),
      sharing(sharing_by(how)),
      slots(how.most_requests),
      limits_(how.limits ? how.limits : read_limits::of_this_process()),
      random_(how.seed != 0 ? how.seed : std::random_device()()) {}

std::uint64_t source_state::random_bits() { return std::uint64_t{random_()} << 31 | random_(); }

std::string source_state::worker_name() {
  if (!how.leases->worker.empty()) return how.leases->worker;
  boost::system::error_code unknown;
  std::string host = boost::asio::ip::host_name(unknown);
  if (host.empty()) host = "host";
  std::array<char, 64> rest{};
  std::snprintf(rest.data(), rest.size(), ".%ld.%016llx", static_cast<long>(::getpid()), static_cast<unsigned long long>(random_bits()));
  return host + rest.data();
}

void source_state::wake() {
  changed = true;
  changes.wake();
}

std::shared_ptr<shard_allowance> source_state::allowance(std::string const& shard_id) const {
  aws::endpoint_options const& where = how.client.where;
  return limits_->of(where.region + ' ' + where.url + ' ' + how.stream, shard_id);
}

std::optional<position> source_state::given(std::string const& shard_id) const {
  auto const found = how.positions.find(shard_id);
  if (found == how.positions.end()) return std::nullopt;
  return position_of(found->second, behind_all);
}

starting_position source_state::start_of(std::string const& shard_id) const {
  starting_position out = graph.start_of(shard_id);
  if (sharing) {
    auto const leased = sharing->starts.find(shard_id);
    if (leased != sharing->starts.end()) out = begin_of(leased->second, how.start);
  }
  auto const found = first_at_tip_.find(shard_id);
  if (found == first_at_tip_.end() || out.which() != starting_position::type::latest) return out;
  return starting_position::at(sequence_number_of(found->second));
}

void source_state::came_at_tip(std::string const& shard_id, position first) { first_at_tip_.try_emplace(shard_id, first); }

}  // namespace weir::kinesis::detail
