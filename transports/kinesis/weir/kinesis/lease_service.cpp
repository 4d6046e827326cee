#include <weir/kinesis/lease_service.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

class called_table final : public lease_service {
public:
  explicit called_table(lease_table t) : table_(std::move(t)) {}
  task<> create_if_missing() override { return table_.create_if_missing(); }
  task<lease_scan> scan() override { return table_.scan(); }
  task<lease_write_result> write(lease_write w) override { return table_.write(std::move(w)); }

private:
  lease_table const table_;
};

}  // namespace

std::shared_ptr<lease_service> make_lease_service(dynamodb::client_options how, std::string table) {
  how.retry = retry_policy().attempts(1);
  return std::make_shared<called_table>(lease_table(dynamodb::client(std::move(how)), std::move(table)));
}

}  // namespace weir::kinesis
