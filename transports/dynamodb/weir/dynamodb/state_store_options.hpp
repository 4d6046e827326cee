#pragma once
#include <cstdint>
#include <string>

namespace weir::dynamodb {

/// What a store does when its table does not exist.
enum class missing_table : std::uint8_t {
  create,  ///< makes it, paid for by the request
  refuse,  ///< fails with `errc::not_found`
};

/// Where `state_store` keeps checkpoints: `{.table = "bars-checkpoints"}`.
struct state_store_options {
  /// Several stores, and pipelines, may share one. Its partition key is `checkpoint`, its sort key `part`, both texts.
  std::string table = "weir-checkpoints";
  missing_table when_missing = missing_table::create;
};

}  // namespace weir::dynamodb
