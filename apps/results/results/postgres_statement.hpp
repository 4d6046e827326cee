#pragma once

#include <results/statement.hpp>

#ifdef WEIR_HAS_POSTGRES
#include <weir/postgres/statement.hpp>

namespace results {

/// The same for a server.
weir::postgres::statement to_postgres(statement const& s);

}  // namespace results
#endif
