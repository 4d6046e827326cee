#include "kinesis_ticks.hpp"

#include <weir/error.hpp>

#ifdef WEIR_HAS_KINESIS
#include "payload_decoder.hpp"

#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/source.hpp>
#include <weir/operators/map.hpp>
#include <kinesis_access/access.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

class kinesis_ticks final : public weir::source<tick> {
public:
  kinesis_ticks(weir::kinesis::options from, tick_fields fields, command_line::dead_letters* dead)
      : stream_(from.stream), records_(std::move(from)), fields_(std::move(fields)), dead_(dead) {}

  std::string_view name() const noexcept override { return records_.name(); }
  std::vector<std::string> partitions() const override { return records_.partitions(); }
  weir::stream<tick> open(std::string shard, std::optional<weir::position> after) override {
    auto const decode = [by = std::make_shared<payload_decoder>(fields_), stream = stream_, dead = dead_](record const& r) {
      tick out;
      std::string why;
      return by->decode(r.data(), r.position(), out, why) ? out : refuse(r, std::move(why), stream, dead);
    };
    return records_.open(std::move(shard), after) | weir::map(decode);
  }
  weir::stream<weir::assignment> assignments(weir::assignment_view& pipeline) override { return records_.assignments(pipeline); }
  void ended(std::string const& shard, weir::partition_end how) noexcept override { records_.ended(shard, how); }
  std::optional<weir::position> end_of(std::string const& shard) const override { return records_.end_of(shard); }

private:
  std::string stream_;
  weir::kinesis::source records_;
  tick_fields fields_;
  command_line::dead_letters* dead_;
};

}  // namespace

std::shared_ptr<weir::source<tick>> open_kinesis(options const& o, command_line::dead_letters* dead) {
  weir::kinesis::options from;
  from.stream = o.kinesis.stream;
  from.start = kinesis_access::position_of(o.start);
  from.client = kinesis_access::client_of(o.kinesis);
  return std::make_shared<kinesis_ticks>(std::move(from), o.fields, dead);
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
