#pragma once
#include <weir/kinesis/outgoing_record.hpp>
#include <weir/kinesis/producer_options.hpp>
#include <weir/kinesis/put_result.hpp>

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::kinesis::detail {

// Records on their way into a stream: which of them go into the next request, and which again. Without I/O.
class put_queue {
public:
  // `how` outlives it.
  explicit put_queue(producer_options const& how) noexcept : how_(&how) {}

  // Throws `weir::errc::malformed`, `too_large`.
  void add(outgoing_record r);
  // Takes over what another one has.
  void append(put_queue later);
  bool empty() const noexcept { return batch_.empty() && waiting_.empty() && open_.empty(); }
  std::size_t size() const noexcept { return batch_.size() + waiting_.size() + open_.size(); }

  // The next request: what was not taken of the one before, and more. Empty when it is.
  std::span<outgoing_record const> next();
  // What has become of each of that request; says how many were taken.
  std::size_t settle(std::span<put_result const> results);

private:
  struct aggregate {
    std::vector<outgoing_record> records;
    std::size_t bytes = 0;
  };
  void add_to_aggregate(outgoing_record r);
  void close(aggregate& a);
  void close_all();
  void add_in_order();
  void add_one_per_key();
  bool fits(outgoing_record const& r) const noexcept;

  producer_options const* how_;
  std::vector<aggregate> open_;                         // in the order of their first records
  std::unordered_map<std::string, std::size_t> index_;  // of `open_`, by partition key and hash key
  std::deque<outgoing_record> waiting_;
  std::vector<outgoing_record> batch_;
  std::size_t batch_bytes_ = 0;
};

}  // namespace weir::kinesis::detail
