#include <weir/rocksdb/detail/state_rows.hpp>

#include <weir/checksum.hpp>
#include <weir/codec.hpp>
#include <weir/detail/ordered_bytes.hpp>
#include <weir/error.hpp>
#include <weir/read_through.hpp>

#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace weir::rocksdb::detail {
namespace {

constexpr std::size_t check_size = 8;

std::string row_key(char kind, std::initializer_list<std::string_view> texts) {
  std::string out(1, kind);
  for (std::string_view const text : texts) weir::detail::put_ordered(out, text);
  return out;
}
std::string head_key(checkpoint_key const& k) { return row_key('c', {k.pipeline, k.stream, k.partition}); }
std::string state_prefix(checkpoint_key const& k) { return row_key('s', {k.pipeline, k.stream, k.partition}); }

std::string_view as_text(std::span<std::byte const> bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }
std::span<std::byte const> as_bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

void add_row(write_batch& to, std::string const& key, std::string_view value) {
  std::string checked;
  checked.reserve(check_size + value.size());
  std::uint64_t const sum = checksum().add(key.size()).add(key).add(value).value();
  for (unsigned shift = 0; shift != 8 * check_size; shift += 8) checked += static_cast<char>(sum >> shift & 0xff);
  to.put(key, checked.append(value));
}

// What `add_row` put there; null: it is damaged.
std::optional<std::string_view> value_of(std::string_view key, std::string_view checked) {
  if (checked.size() < check_size) return std::nullopt;
  std::uint64_t stored = 0;
  for (std::size_t i = check_size; i-- != 0;) stored = stored << 8 | static_cast<unsigned char>(checked[i]);
  checked.remove_prefix(check_size);
  if (checksum().add(key.size()).add(key).add(checked).value() != stored) return std::nullopt;
  return checked;
}

[[noreturn]] void refuse_row(database const& db, checkpoint_key const& key, std::string why) {
  throw error(errc::corrupt, "checkpoint: cannot load", std::move(why),
              "restore the folder from a backup, or erase the checkpoint to begin from the start")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline)
      .with_detail(db.folder().string());
}

checkpoint_head read_head(database const& db, checkpoint_key const& key, std::string_view row, std::string_view checked) {
  auto const value = value_of(row, checked);
  if (!value) refuse_row(db, key, "its head does not match its checksum");
  std::span<std::byte const> from = as_bytes(*value);
  auto const at = position::parse(decode_part<std::string>(from));
  auto const written_at = decode_part<std::int64_t>(from);
  auto const version = decode_part<std::uint64_t>(from);
  auto writer = decode_state<std::string>(from);
  if (!at) refuse_row(db, key, "its position is not of the form it should have");
  return {*at, written_at, version, std::move(writer)};
}

std::string entry_key(checkpoint_key const& k, std::string_view operator_id, std::string_view key) {
  return row_key('s', {k.pipeline, k.stream, k.partition, operator_id}).append(key);
}

[[noreturn]] void refuse_entry(database const& db, checkpoint_key const& key, std::optional<std::string> const& operator_id) {
  refuse_row(db, key, "an entry of the state" + (operator_id ? " of operator " + *operator_id : "") + " does not match its checksum");
}

struct entry_row {
  std::string operator_id;
  std::string_view key, value;
};
entry_row read_entry(database const& db, checkpoint_key const& key, std::string_view prefix, std::string_view row,
                     std::string_view checked) {
  std::string_view rest = row.substr(prefix.size());
  auto id = weir::detail::take_ordered(rest);
  auto const value = value_of(row, checked);
  if (!id || !value) refuse_entry(db, key, id);
  return {*std::move(id), rest, *value};
}

// Calls `each` with operator, key and value of every entry.
template <class Each> void scan_entries(database& db, checkpoint_key const& key, Each each) {
  std::string const prefix = state_prefix(key);
  db.scan(prefix, [&](std::string_view row, std::string_view checked) {
    auto [id, k, value] = read_entry(db, key, prefix, row, checked);
    each(std::move(id), k, value);
    return true;
  });
}

std::vector<std::byte> copied(std::string_view value) {
  auto const bytes = as_bytes(value);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::optional<checkpoint_head> find_head(database& db, checkpoint_key const& key) {
  std::string const row = head_key(key);
  auto const checked = db.get(row);
  if (!checked) return std::nullopt;
  return read_head(db, key, row, *checked);
}

std::vector<state_entry> entries_of(database& db, checkpoint_key const& key) {
  std::vector<state_entry> out;
  scan_entries(db, key, [&](std::string id, std::string_view k, std::string_view value) {
    out.emplace_back(std::move(id), std::string(k), copied(value));
  });
  return out;
}

std::vector<state_entry> resident_entries_of(database& db, checkpoint_key const& key) {
  std::vector<state_entry> out;
  std::string const prefix = state_prefix(key);
  for (std::string from = prefix; !from.empty();) {
    std::string behind;  // the operator whose entries are not wanted; empty: there is none left
    db.scan(
        prefix,
        [&](std::string_view row, std::string_view checked) {
          auto [id, k, value] = read_entry(db, key, prefix, row, checked);
          if (is_read_through(id)) {
            behind = weir::detail::behind_prefix(entry_key(key, id, ""));
            return false;
          }
          out.emplace_back(std::move(id), std::string(k), copied(value));
          return true;
        },
        from);
    from = std::move(behind);
  }
  return out;
}

std::optional<std::vector<std::byte>> find_entry(database& db, checkpoint_key const& of, std::string_view operator_id,
                                                 std::string_view key) {
  std::string const row = entry_key(of, operator_id, key);
  auto const checked = db.get(row);
  if (!checked) return std::nullopt;
  auto const value = value_of(row, *checked);
  if (!value) refuse_entry(db, of, std::string(operator_id));
  return copied(*value);
}

void each_entry(database& db, checkpoint_key const& of, std::string_view operator_id,
                std::function<void(std::string_view, std::span<std::byte const>)> const& f) {
  std::string const prefix = state_prefix(of);
  db.scan(entry_key(of, operator_id, ""), [&](std::string_view row, std::string_view checked) {
    auto const [id, key, value] = read_entry(db, of, prefix, row, checked);
    f(key, as_bytes(value));
    return true;
  });
}

std::vector<checkpoint_listing> list_heads(database& db, std::string const& pipeline) {
  std::vector<checkpoint_listing> out;
  std::string const prefix = row_key('c', {pipeline});
  db.scan(prefix, [&](std::string_view row, std::string_view checked) {
    std::string_view rest = row.substr(prefix.size());
    auto const stream = weir::detail::take_ordered(rest), partition = weir::detail::take_ordered(rest);
    checkpoint_key key(pipeline, stream.value_or("?"), partition.value_or("?"));
    auto head = read_head(db, key, row, checked);
    out.emplace_back(std::move(key), std::move(head), 0, 0);
    return true;
  });
  for (auto& l : out) {
    scan_entries(db, l.key, [&l](std::string const& id, std::string_view k, std::string_view value) {
      ++l.entries;
      l.bytes += id.size() + k.size() + value.size();
    });
  }
  return out;
}

std::vector<checkpoint_key> list_keys(database& db) {
  std::vector<checkpoint_key> out;
  std::string const prefix = row_key('c', {});
  db.scan(prefix, [&](std::string_view row, std::string_view) {
    std::string_view rest = row.substr(prefix.size());
    auto pipeline = weir::detail::take_ordered(rest);
    auto stream = weir::detail::take_ordered(rest);
    auto partition = weir::detail::take_ordered(rest);
    if (!pipeline || !stream || !partition) refuse_row(db, checkpoint_key(pipeline.value_or("?"), "?", "?"), "its key is damaged");
    out.emplace_back(*std::move(pipeline), *std::move(stream), *std::move(partition));
    return true;
  });
  return out;
}

void add_head(write_batch& to, checkpoint_key const& key, checkpoint_head const& head) {
  std::vector<std::byte> bytes;
  encode_state(head.position.text(), bytes);
  encode_state<std::int64_t>(head.written_at, bytes);
  encode_state(head.version, bytes);
  encode_state(head.writer, bytes);
  add_row(to, head_key(key), as_text(bytes));
}

void add_changes(write_batch& to, checkpoint_key const& key, std::vector<state_change> const& changes) {
  std::string const prefix = state_prefix(key);
  std::string row;
  for (state_change const& c : changes) {
    row = prefix;
    weir::detail::put_ordered(row, c.entry.operator_id);
    row += c.entry.key;
    switch (c.kind) {
      case state_change_kind::put: add_row(to, row, as_text(c.entry.value)); break;
      case state_change_kind::erase: to.erase(row); break;
      case state_change_kind::erase_prefix: to.erase_prefix(row); break;
    }
  }
}

void add_erasure(write_batch& to, checkpoint_key const& key) {
  to.erase(head_key(key));
  to.erase_prefix(state_prefix(key));
}

}  // namespace weir::rocksdb::detail
