#include <weir/postgres/detail/checkpoint_rows.hpp>

#include <weir/checksum.hpp>
#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <utility>

namespace weir::postgres::detail {
namespace {

// What an index takes is a third of a page, with some room for its own.
constexpr std::size_t longest_name = 2600;
constexpr std::size_t largest_value = std::size_t{256} << 20;

void add_text(checksum& sum, std::string_view text) { sum.add(text.size()).add(text); }

std::int64_t as_column(checksum const& sum) noexcept { return static_cast<std::int64_t>(sum.value()); }

[[noreturn]] void refuse(checkpoint_key const& key, std::string why, std::string advice) {
  throw error(errc::too_large, "checkpoint: cannot commit", std::move(why), std::move(advice))
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline);
}

}  // namespace

std::int64_t check_of(checkpoint_key const& key, stored_head const& row) {
  checksum sum;
  sum.add(static_cast<std::uint64_t>(row.id));
  add_text(sum, key.pipeline);
  add_text(sum, key.stream);
  add_text(sum, key.partition);
  add_text(sum, row.head.position.text());
  add_text(sum, format_rfc3339(row.head.written_at, 9));
  sum.add(row.head.version);
  add_text(sum, row.head.writer);
  sum.add(static_cast<std::uint64_t>(row.entries));
  return as_column(sum);
}

std::int64_t check_of(std::int64_t checkpoint, std::string_view of_operator, std::string_view key, std::string_view value) {
  checksum sum;
  sum.add(static_cast<std::uint64_t>(checkpoint));
  add_text(sum, of_operator);
  add_text(sum, key);
  add_text(sum, value);
  return as_column(sum);
}

stored_head read_head(result const& rows, int row, int first, checkpoint_key const& key, std::string const& server) {
  stored_head out;
  out.id = rows.integer(row, first);
  auto const at = position::parse(rows.text(row, first + 1));
  auto const written_at = parse_rfc3339(rows.text(row, first + 2));
  std::int64_t const version = rows.integer(row, first + 3);
  if (!at || !written_at || version < 1) fail_corrupt(key, server, "the row's position, time or version is not of the form it should have");
  out.head = checkpoint_head(*at, *written_at, static_cast<std::uint64_t>(version), std::string(rows.bytes(row, first + 4)));
  out.entries = rows.integer(row, first + 5);
  if (check_of(key, out) != rows.integer(row, first + 6)) fail_corrupt(key, server, "the row does not match its checksum");
  return out;
}

void fail_corrupt(checkpoint_key const& key, std::string const& server, std::string why) {
  throw error(errc::corrupt, "checkpoint: cannot load", std::move(why),
              "restore the database from a backup, or erase the checkpoint to begin from the start")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline)
      .with_detail(server);
}

parameters names_of(checkpoint_key const& key) {
  parameters out;
  out.bytes(key.pipeline).bytes(key.stream).bytes(key.partition);
  return out;
}

std::int64_t lock_of(std::string_view schema, checkpoint_key const& key) {
  checksum sum;
  add_text(sum, "weir checkpoint");
  for (std::string_view const text :
       {schema, std::string_view(key.pipeline), std::string_view(key.stream), std::string_view(key.partition)})
    add_text(sum, text);
  return as_column(sum);
}

void check_limits(checkpoint_key const& key) {
  if (key.pipeline.size() + key.stream.size() + key.partition.size() > longest_name)
    refuse(key, "pipeline, stream and partition have more than 2,600 bytes together", "give shorter names");
}

void check_limits(checkpoint_key const& key, state_change const& change) {
  state_entry const& e = change.entry;
  if (e.operator_id.size() + e.key.size() > longest_name)
    refuse(key, "an operator and its key have more than 2,600 bytes together (" + e.operator_id.substr(0, 40) + ")", "use shorter keys");
  if (e.value.size() > largest_value)
    refuse(key, "an entry is larger than 256 MiB (" + e.operator_id.substr(0, 40) + ")", "keep it in several entries");
}

}  // namespace weir::postgres::detail
