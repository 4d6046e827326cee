#include "kinesis_ticks.hpp"

#include <weir/error.hpp>

#ifdef WEIR_HAS_KINESIS
#include "payload_decoder.hpp"

#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/source.hpp>
#include <weir/operators/map.hpp>
#include <weir/source_via.hpp>
#include <kinesis_access/access.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace ticks {
namespace {

using weir::kinesis::record;

[[gnu::cold]] tick refuse(record const& r, std::string why, std::string const& stream, command_line::dead_letters* dead) {
  std::string const number = weir::kinesis::sequence_number_of(r.position());
  weir::error failure(weir::errc::malformed, "ticks: cannot use a record", std::move(why),
                      dead ? "" : "pass over such records with --on-broken-line dead-letter FILE");
  failure.with_stream(stream).with_partition(std::string(r.shard_id())).with_position(number);
  if (!dead) throw failure;
  dead->add(command_line::broken_record{failure.what(), stream, r.shard_id(), number, r.data()});
  tick passed;
  passed.at = r.position();
  return passed;
}

}  // namespace

std::shared_ptr<weir::source<tick>> open_kinesis(options const& o, command_line::dead_letters* dead) {
  weir::kinesis::options from;
  from.stream = o.kinesis.stream;
  from.start = kinesis_access::position_of(o.start);
  from.client = kinesis_access::client_of(o.kinesis);
  bool const shared = !o.leases.empty();
  if (shared) {
    from.leases.emplace();
    from.leases->table = o.leases;
    from.leases->how.failover = std::chrono::nanoseconds(o.failover);
  }
  auto const decode = [fields = o.fields, stream = from.stream, shared, dead](weir::stream<record> records) {
    auto const by = std::make_shared<payload_decoder>(fields);
    return std::move(records) | weir::map([by, stream, shared, dead](record const& r) {
             tick out;
             std::string why;
             bool const good = shared ? by->decode_under(r.partition_key(), r.data(), r.position(), out, why)
                                      : by->decode(r.data(), r.position(), out, why);
             return good ? out : refuse(r, std::move(why), stream, dead);
           });
  };
  return weir::source_via<tick>(std::make_shared<weir::kinesis::source>(std::move(from)), decode);
}

}  // namespace ticks
#else
namespace ticks {
std::shared_ptr<weir::source<tick>> open_kinesis(options const&, command_line::dead_letters*) {
  throw weir::error(weir::errc::invalid_option, "ticks: cannot read a stream", "this program was built without kinesis",
                    "build it with kinesis in WEIR_COMPONENTS");
}
}  // namespace ticks
#endif
