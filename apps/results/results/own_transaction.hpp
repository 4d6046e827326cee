#pragma once

#include <results/database.hpp>
#include <results/statement.hpp>

#include <weir/outside_write.hpp>

#include <memory>
#include <vector>

namespace results {

/// What a sink adds to a commit of checkpoints that are somewhere else: statements, in a transaction of their own before it.
std::shared_ptr<weir::outside_write> own_transaction(std::shared_ptr<database> in, std::vector<statement> all);

}  // namespace results
