#pragma once

#include <results/statement.hpp>

#include <weir/state_store.hpp>
#include <weir/store_write.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace results {

/// What kind of database has these checkpoints: "sqlite" or "postgresql". Errors: `errc::invalid_option` when they are in a store that
/// keeps no tables.
std::string_view kind_of_tables(weir::state_store const& checkpoints);

/// Makes statements a part of a commit to `checkpoints`: they are run in its transaction, in order. Errors: as above.
std::shared_ptr<weir::store_write> commit_statements(weir::state_store const& checkpoints, std::vector<statement> all);

}  // namespace results
