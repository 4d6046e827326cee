#include <weir/postgres/detail/entry_statements.hpp>

#include <weir/postgres/detail/checkpoint_rows.hpp>

#include <string_view>
#include <utility>

namespace weir::postgres::detail {
namespace {

std::string_view value_of(state_entry const& e) noexcept { return {reinterpret_cast<char const*>(e.value.data()), e.value.size()}; }

}  // namespace

entry_statements::entry_statements(state_tables const& tables, std::int64_t checkpoint, std::span<state_change const> changes)
    : checkpoint_(checkpoint) {
  constexpr std::size_t enough = std::size_t{8} << 20;  // bytes of one statement, which server and client hold whole
  constexpr std::size_t most = 20'000;
  net_changes const net(changes);
  for (auto const& prefix : net.prefixes) add_prefix(tables, prefix);
  if (!net.erased.empty()) add_erased(tables, net.erased);
  puts_from_ = all_.size();
  std::span<state_entry const* const> rest(net.put);
  while (!rest.empty()) {
    std::size_t n = 0, bytes = 0;
    for (; n != rest.size() && n != most && (n == 0 || bytes < enough); ++n)
      bytes += rest[n]->operator_id.size() + rest[n]->key.size() + rest[n]->value.size();
    add_put(tables, rest.first(n));
    rest = rest.subspan(n);
  }
}

void entry_statements::add_prefix(state_tables const& tables, net_changes::name const& prefix) {
  std::string sql = "DELETE FROM @entries WHERE checkpoint = $1 AND operator = $2 AND key >= $3";
  parameters values;
  values.integer(checkpoint_).bytes(prefix.first).bytes(prefix.second);
  if (std::string const end = end_of_prefix(prefix.second); !end.empty()) {
    sql += " AND key < $4";
    values.bytes(end);
  }
  all_.emplace_back(tables.with_names(sql), std::move(values));
}

void entry_statements::add_erased(state_tables const& tables, std::span<net_changes::name const> names) {
  std::vector<std::string_view> operators, keys;
  for (auto const& [of_operator, key] : names) {
    operators.push_back(of_operator);
    keys.push_back(key);
  }
  parameters values;
  values.integer(checkpoint_).byte_strings(operators).byte_strings(keys);
  all_.emplace_back(
      tables.with_names("DELETE FROM @entries e USING unnest($2::bytea[], $3::bytea[]) AS t(o, k) WHERE e.checkpoint = $1 AND "
                        "e.operator = t.o AND e.key = t.k"),
      std::move(values));
}

// A row that was inserted, and not updated, has no xmax.
void entry_statements::add_put(state_tables const& tables, std::span<state_entry const* const> entries) {
  std::vector<std::string_view> operators, keys, contents;
  std::vector<std::int64_t> checks;
  for (state_entry const* const e : entries) {
    operators.emplace_back(e->operator_id);
    keys.emplace_back(e->key);
    contents.push_back(value_of(*e));
    checks.push_back(check_of(checkpoint_, e->operator_id, e->key, contents.back()));
  }
  parameters values;
  values.integer(checkpoint_).byte_strings(operators).byte_strings(keys).byte_strings(contents).integers(checks);
  all_.emplace_back(
      tables.with_names("WITH done AS (INSERT INTO @entries(checkpoint, operator, key, value, checksum) SELECT $1, o, k, v, c "
                        "FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::int8[]) AS t(o, k, v, c) "
                        "ON CONFLICT (checkpoint, operator, key) DO UPDATE SET value = EXCLUDED.value, checksum = "
                        "EXCLUDED.checksum RETURNING xmax = 0 AS inserted) SELECT count(*) FILTER (WHERE inserted) FROM done"),
      std::move(values));
}

}  // namespace weir::postgres::detail
