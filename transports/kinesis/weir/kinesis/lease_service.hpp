#pragma once
#include <weir/dynamodb/client_options.hpp>
#include <weir/kinesis/lease_table.hpp>
#include <weir/kinesis/lease_write.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::kinesis {

/// What sharing the leases of a table takes: three operations, as `lease_table` has them. A test puts something of its own in place of
/// DynamoDB by it, in virtual time. From one strand.
class lease_service {
public:
  lease_service() = default;
  lease_service(lease_service const&) = delete;
  lease_service& operator=(lease_service const&) = delete;
  virtual ~lease_service() = default;

  virtual task<> create_if_missing() = 0;
  virtual task<lease_scan> scan() = 0;
  virtual task<lease_write_result> write(lease_write w) = 0;
};

/// A table of DynamoDB, each call made once: who shares leases decides when it is made again. Throws what `dynamodb::client` throws.
std::shared_ptr<lease_service> make_lease_service(dynamodb::client_options how, std::string table);

}  // namespace weir::kinesis
