#include <weir/dynamodb/detail/checkpoint_table.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <utility>

namespace weir::dynamodb::detail {
namespace {

query_request parts_query(std::string const& table, std::string const& hash, std::string prefix) {
  query_request r(table, "#h = :h AND begins_with(#r, :p)", {});
  r.with.name("#h", hash_name).name("#r", range_name);
  r.with.value(":h", attribute_value::string(hash)).value(":p", attribute_value::string(std::move(prefix)));
  return r;
}

}  // namespace

task<> checkpoint_table::open() {
  if (opened_) co_return;
  std::optional<table_status> found = co_await calls_.describe_table(options_.table);
  if (!found && options_.when_missing == missing_table::refuse) {
    throw error(errc::not_found, "dynamodb: cannot use the table", "it does not exist", "correct its name, the region or the endpoint")
        .with_detail("table " + options_.table);
  }
  if (!found) {
    table_definition made(options_.table, key_attribute(hash_name), key_attribute(range_name));
    co_await calls_.create_table(std::move(made));
  }
  if (!found || !found->usable()) found = co_await calls_.wait_until_usable(options_.table);
  bool const texts = found->hash.type == key_type::string && found->range.type == key_type::string;
  if (found->hash.name != hash_name || found->range.name != range_name || !texts) {
    throw error(errc::incompatible, "dynamodb: cannot use the table", "its key is not checkpoint and part, both texts",
                "give the store a table of its own")
        .with_detail("table " + options_.table);
  }
  opened_ = true;
}

task<std::optional<item>> checkpoint_table::head_row(std::string hash) {
  item key = row_key(hash, head_part);
  co_return co_await calls_.get(options_.table, std::move(key));
}

task<std::optional<stored_head>> checkpoint_table::head(checkpoint_key key) {
  std::optional<item> const row = co_await head_row(hash_of(key));
  if (!row) co_return std::nullopt;
  co_return read_head(*row, key, options_.table);
}

task<bool> checkpoint_table::replace_head(std::string hash, stored_head next, std::string before) {
  put_request r(options_.table, row_of(hash, next));
  if (before.empty()) {
    r.condition = "attribute_not_exists(#h)";
    r.with.name("#h", hash_name);
  } else {
    r.condition = "#c = :c";
    r.with.name("#c", commit_name).value(":c", attribute_value::string(std::move(before)));
  }
  write_outcome const outcome = co_await calls_.put(std::move(r));
  co_return outcome.done;
}

task<bool> checkpoint_table::erase_head(std::string hash, std::optional<std::string> before) {
  delete_request r(options_.table, row_key(hash, head_part));
  if (before) {
    r.condition = "#c = :c";
    r.with.name("#c", commit_name).value(":c", attribute_value::string(*std::move(before)));
  }
  write_outcome const outcome = co_await calls_.erase(std::move(r));
  co_return outcome.done;
}

task<> checkpoint_table::write_pieces(std::vector<item> pieces) {
  std::vector<batch_write> writes;
  writes.reserve(pieces.size());
  for (item& p : pieces) writes.push_back(batch_write::put(std::move(p)));
  co_await calls_.write_all(options_.table, std::move(writes));
}

task<std::optional<state_delta>> checkpoint_table::read_segment(std::string hash, segment s) {
  query_request r = parts_query(options_.table, hash, part_prefix_of(s.id));
  std::vector<item> pieces;
  do {
    page found = co_await calls_.query(r);
    std::ranges::move(found.items, std::back_inserter(pieces));
    r.from = std::move(found.next);
  } while (!r.from.empty());
  auto const bytes = join(hash, s, pieces);
  if (!bytes) co_return std::nullopt;
  co_return state_delta::decode(*bytes);
}

task<std::vector<std::string>> checkpoint_table::parts_of(std::string hash, std::string generation) {
  std::string prefix(segment_prefix);
  if (!generation.empty()) prefix += generation + '/';
  query_request r = parts_query(options_.table, hash, std::move(prefix));
  r.projection = "#r";
  std::vector<std::string> out;
  do {
    page found = co_await calls_.query(r);
    for (item const& row : found.items) {
      auto const* const part = find(row, range_name);
      if (std::string const* const text = part ? part->as_string() : nullptr) out.push_back(*text);
    }
    r.from = std::move(found.next);
  } while (!r.from.empty());
  co_return out;
}

task<> checkpoint_table::erase_parts(std::string hash, std::vector<std::string> parts) {
  std::vector<batch_write> writes;
  writes.reserve(parts.size());
  for (std::string& p : parts) writes.push_back(batch_write::erase(row_key(hash, std::move(p))));
  if (!writes.empty()) co_await calls_.write_all(options_.table, std::move(writes));
}

task<> checkpoint_table::erase_segments(std::string hash, std::vector<segment> all) {
  std::vector<std::string> parts;
  for (segment const& s : all) std::ranges::move(piece_parts_of(s), std::back_inserter(parts));
  co_await erase_parts(std::move(hash), std::move(parts));
}

task<std::vector<checkpoint_key>> checkpoint_table::keys(std::string prefix) {
  scan_request r(options_.table);
  r.filter = "#r = :head";
  r.with.name("#r", range_name).name("#h", hash_name).value(":head", attribute_value::string(head_part));
  if (!prefix.empty()) {
    r.filter += " AND begins_with(#h, :p)";
    r.with.value(":p", attribute_value::string(std::move(prefix)));
  }
  r.projection = "#h";
  std::vector<checkpoint_key> out;
  do {
    page found = co_await calls_.scan(r);
    for (item const& row : found.items) {
      auto const* const hash = find(row, hash_name);
      std::string const* const text = hash ? hash->as_string() : nullptr;
      auto key = text ? key_of(*text) : std::nullopt;
      if (key) out.push_back(*std::move(key));
    }
    r.from = std::move(found.next);
  } while (!r.from.empty());
  std::ranges::sort(out);
  co_return out;
}

}  // namespace weir::dynamodb::detail
