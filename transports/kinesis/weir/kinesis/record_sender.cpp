#include <weir/kinesis/record_sender.hpp>

#include <weir/net/hashes.hpp>

#include <string>
#include <utility>

namespace weir::kinesis {
namespace {

producer_options in_order(producer_options o) {
  o.order = put_order::per_key;
  return o;
}

outgoing_record plain_record(message const& m) {
  std::string key = m.pipeline + '/' + m.stream + '/' + m.partition + '/' + m.topic;
  if (key.size() > 256) key = net::to_hex(net::sha256(key));
  return {std::move(key), m.payload};
}

}  // namespace

record_sender::record_sender(producer_options o) : record_sender(std::move(o), plain_record) {}

record_sender::record_sender(producer_options o, std::function<outgoing_record(message const&)> record_of)
    : by_(in_order(std::move(o))), record_of_(std::move(record_of)) {}

task<> record_sender::send(std::vector<message> batch) {
  std::vector<outgoing_record> records;
  records.reserve(batch.size());
  for (message const& m : batch) records.push_back(record_of_(m));
  co_await by_.put(std::move(records));
}

}  // namespace weir::kinesis
