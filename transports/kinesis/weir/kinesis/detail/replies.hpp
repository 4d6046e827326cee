#pragma once
#include <weir/kinesis/put_result.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/kinesis/stream_consumer.hpp>
#include <weir/kinesis/stream_summary.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Replies but those of GetRecords (`record_decoder`). A member may be missing or null. `weir::errc::malformed`: it is no such reply.
namespace weir::kinesis::detail {

// `next_token`: empty where there are no more pages.
std::vector<shard> read_shards(std::string const& body, std::string& next_token);
stream_summary read_summary(std::string const& body);
// Of RegisterStreamConsumer and DescribeStreamConsumer.
stream_consumer read_consumer(std::string const& body);
std::string read_iterator(std::string const& body);
put_result read_put_record(std::string const& body);
// `count`: the results that there must be.
std::vector<put_result> read_put_records(std::string const& body, std::size_t count);

}  // namespace weir::kinesis::detail
