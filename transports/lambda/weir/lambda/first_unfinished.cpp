#include <weir/lambda/first_unfinished.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/aggregated_record.hpp>
#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>

#include <cstdint>
#include <string>

namespace weir::lambda {
namespace {

// How many records are in one; null: it cannot be read.
std::optional<std::uint64_t> records_in(detail::kinesis_values const& v) {
  detail::value_block values(v.data.size());
  auto const data = values.base64(v.data);
  if (!data) return std::nullopt;
  auto const inner = kinesis::read_aggregated(*data);
  return inner ? inner->size() : 1;
}

// The position of the last record in one that begins there. One that has none in it is done when what is before it is.
bool is_done(detail::kinesis_values const& v, std::optional<position> const& frontier) {
  auto const at = detail::sequence_position(v.sequence_number);
  if (!at) return false;
  if (frontier && position((*frontier)[0], (*frontier)[1], (*frontier)[2], 0) > *at) return true;
  auto const count = records_in(v);
  if (!count) return false;
  return *count == 0 || (frontier && position((*at)[0], (*at)[1], (*at)[2], *count - 1) <= *frontier);
}

}  // namespace

std::optional<std::size_t> first_unfinished(event const& e, std::optional<position> const& frontier) {
  detail::event_index const& index = *e.index();
  if (e.source() == event_source::kinesis) {
    for (std::size_t i = 0; i != index.kinesis.size(); ++i)
      if (!is_done(index.kinesis[i], frontier)) return i;
    return std::nullopt;
  }
  detail::expect_source(index, event_source::dynamodb, "lambda::first_unfinished");
  std::optional<position> last;
  for (std::size_t i = 0; i != index.dynamodb.size(); ++i) {
    auto const number = detail::sequence_position(index.dynamodb[i].sequence_number);
    auto const at = number ? detail::behind(last, *number) : std::nullopt;
    if (!at || !frontier || *at > *frontier) return i;
    last = at;
  }
  return std::nullopt;
}

std::optional<std::size_t> first_unfinished(event const& e, std::size_t partition, std::optional<position> const& frontier) {
  detail::event_index const& index = *e.index();
  detail::expect_source(index, event_source::kafka, "lambda::first_unfinished");
  if (partition >= index.partitions.size()) {
    throw error(errc::misuse, "lambda::first_unfinished: there is no partition " + std::to_string(partition),
                "the event has " + std::to_string(index.partitions.size()));
  }
  topic_partition const& p = index.partitions[partition];
  for (std::size_t i = p.first; i != p.first + p.size; ++i) {
    auto const offset = detail::whole_number(index.kafka[i].offset);
    if (!offset || !frontier || position(*offset) > *frontier) return i;
  }
  return std::nullopt;
}

}  // namespace weir::lambda
