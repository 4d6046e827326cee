#pragma once
#include <weir/kinesis/record.hpp>
#include <weir/lambda/batch_response.hpp>
#include <weir/lambda/dynamodb_record.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/kafka_record.hpp>
#include <weir/lambda/sqs_record.hpp>
#include <weir/position.hpp>
#include <weir/stream.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::lambda::detail {

// Records of an event that are to be done in their order, and fail together from one of them on.
template <class R> struct lane {
  // Reports what is not done, when all up to there is; null: nothing is. Throws errc::malformed where that has no identifier.
  using reporter = std::function<void(batch_response&, std::optional<position> const&)>;
  using opener = std::function<stream<R>(std::optional<position> after)>;
  lane(std::string of, opener o, reporter r) : partition(std::move(of)), open(std::move(o)), report(std::move(r)) {}

  std::string partition;
  opener open;
  reporter report;
};

// A shard, or a partition.
template <class R> std::vector<lane<R>> lanes_of(event const& e);
template <> std::vector<lane<kinesis::record>> lanes_of(event const& e);
template <> std::vector<lane<dynamodb_record>> lanes_of(event const& e);
template <> std::vector<lane<kafka_record>> lanes_of(event const& e);
// A message; of a FIFO queue a message group.
template <> std::vector<lane<sqs_record>> lanes_of(event const& e);

}  // namespace weir::lambda::detail
