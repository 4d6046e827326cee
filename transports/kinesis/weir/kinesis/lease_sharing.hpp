#pragma once
#include <weir/dynamodb/client_options.hpp>
#include <weir/kinesis/lease_options.hpp>
#include <weir/kinesis/lease_service.hpp>

#include <memory>
#include <string>

namespace weir::kinesis {

/// How processes share the shards of a stream, by leases in a table of DynamoDB: workers of Weir with each other, and with those of KCL
/// 1, 2 and 3, whose table it is (`options::leases`, where it says what is promised). All of them are to have the same table, start,
/// `how.failover` and `how.handoff`.
///
/// Rows that are no leases (`entityType` of KCL 3.5), attributes that are not known here, and rows of several streams are left as they are.
/// The index by owner that KCL 3 has on its table is not needed, and not made: a worker of KCL makes it when it comes. The leader of a
/// fleet of KCL 3 sees ours as a worker that renews its leases, and leaves it alone; it gives leases only to workers that report how busy
/// they are, which ours do not, so that ours take what has run out or was given back, and their share of what others have, by the graceful
/// handoff that KCL 3 knows.
///
/// For whoever runs both: a worker of KCL 3 that comes when ours have all leases gets none before one runs out or is given back. With
/// `clientVersionConfig` CLIENT_VERSION_CONFIG_COMPATIBLE_WITH_2X it takes its share, as those of KCL 1 and 2 do, without a handoff: what
/// ours has not committed by then is done again there. While a worker of ours has a lease, such a fleet does not go over to version 3 by
/// itself. A processor of KCL that does not checkpoint when it is asked to shut down (`shutdownRequested`) has what it did since its last
/// checkpoint done again by ours. When the leader of a fleet of KCL 3 dies, that fleet takes nothing for two minutes; ours do.
struct lease_sharing {
  /// The name of the table, which KCL calls the application's. One stream has one of its own. Made where there is none, paid for by the
  /// request.
  std::string table = {};
  /// What this process is called in it, other than all that run. Empty: host, process and a random number, which is another in each run, so
  /// that one which is started again waits until the leases of the one before have run out, unless it ended in peace.
  std::string worker = {};
  /// Times, and how many leases.
  lease_options how = {};
  /// Where the table is. A region, a profile and credentials that are not given are those of the stream. Its `retry` does
  /// not count.
  dynamodb::client_options dynamodb = {};
  /// What is in place of DynamoDB. Null: DynamoDB.
  std::shared_ptr<lease_service> service = nullptr;
};

}  // namespace weir::kinesis
