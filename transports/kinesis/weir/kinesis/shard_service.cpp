#include <weir/kinesis/shard_service.hpp>

#include <weir/kinesis/client.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

class called_service final : public shard_service {
public:
  explicit called_service(client c) : client_(std::move(c)) {}
  task<std::vector<shard>> list_shards(std::string stream) override { return client_.list_shards(std::move(stream)); }
  task<std::string> get_shard_iterator(std::string stream, std::string shard_id, starting_position from) override {
    return client_.get_shard_iterator(std::move(stream), std::move(shard_id), std::move(from));
  }
  task<record_batch> get_records(std::string iterator, std::size_t limit) override {
    return client_.get_records(std::move(iterator), limit);
  }

private:
  client const client_;
};

}  // namespace

std::shared_ptr<shard_service> make_shard_service(client_options how) {
  how.retry = retry_policy().attempts(1);
  return std::make_shared<called_service>(client(std::move(how)));
}

}  // namespace weir::kinesis
