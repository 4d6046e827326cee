#pragma once
#include <weir/state_store.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::webhook {

/// The key of a batch: 32 hexadecimal digits. It is the same when the same rows come again after a crash, cut into the same batches of the
/// same commit (`outside_write`), and another one otherwise: a receiver that drops keys it knows must not drop rows that it does not. So
/// the body is part of it.
std::string key_of_batch(checkpoint_key const& of, std::string_view sink, std::uint64_t commit, std::uint64_t number,
                         std::string_view body);
/// The key of a row that says who it is, whichever checkpoint and partition it comes in.
std::string key_of_row(std::string_view pipeline, std::string_view sink, std::string_view identity);

}  // namespace weir::webhook
