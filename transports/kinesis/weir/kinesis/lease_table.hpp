#pragma once
#include <weir/dynamodb/client.hpp>
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/lease_write.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir::kinesis {

/// What has become of a write of a lease. A value.
struct lease_write_result {
  lease_write_result() = default;

  bool done = false;            ///< false: its condition did not hold
  std::optional<lease> stored;  ///< where it is not done: the row as it is; null: there is none
};

/// What is in a lease table. A value.
struct lease_scan {
  lease_scan() = default;

  std::vector<lease> leases;
  std::size_t others = 0;  ///< items that are no leases (KCL 3.5 keeps more in the table); they are left alone
};

/// The lease table of an application in DynamoDB, KCL's and ours: `application name` of KCL is the name of the table.
///
/// Errors: those of `dynamodb::client`; `errc::incompatible` when the table has another key; `errc::corrupt` for a lease that cannot be
/// read, with its key. Cancelled: whether a write was done is not known. A copy is the same table. Thread-safety: as `dynamodb::client`.
class lease_table {
public:
  lease_table(dynamodb::client calls, std::string name) noexcept : calls_(std::move(calls)), name_(std::move(name)) {}

  /// Makes the table when there is none, and waits until it can be used.
  task<> create_if_missing() const;
  /// All of it, page by page. Sees all writes that were done before.
  task<lease_scan> scan() const;
  task<lease_write_result> write(lease_write w) const;
  std::string const& name() const noexcept { return name_; }

private:
  dynamodb::client calls_;
  std::string name_;
};

}  // namespace weir::kinesis
