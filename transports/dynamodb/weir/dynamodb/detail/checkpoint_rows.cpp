#include <weir/dynamodb/detail/checkpoint_rows.hpp>

#include <weir/checksum.hpp>
#include <weir/detail/escaped_name.hpp>
#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>
#include <charconv>
#include <random>
#include <span>
#include <utility>

namespace weir::dynamodb::detail {
namespace {

constexpr std::size_t piece_size = 350 * std::size_t{1024};  // of the 400 KB that an item may have, names and key included
constexpr std::size_t longest_hash = 2048;
constexpr std::size_t few = 8;
constexpr std::size_t least_size = 4096;  // that it pays to look at
constexpr std::string_view format = "1";

std::string padded(std::uint64_t n, std::size_t size) {
  std::string const text = std::to_string(n);
  return std::string(size - std::min(size, text.size()), '0') + text;
}

attribute_value text(std::string t) { return attribute_value::string(std::move(t)); }
attribute_value number(std::uint64_t n) { return attribute_value::number(n); }

std::string text_in(item const& row, char const* name) {
  auto const* const found = find(row, name);
  std::string const* const t = found ? found->as_string() : nullptr;
  return t ? *t : std::string();
}
std::optional<std::uint64_t> number_in(item const& row, char const* name) {
  auto const* const found = find(row, name);
  return found ? found->as_unsigned() : std::nullopt;
}

std::uint64_t check_of(std::string const& hash, stored_head const& h) {
  checksum out;
  auto const add = [&out](std::string const& t) { out.add(t.size()).add(std::string_view(t)); };
  add(hash);
  add(h.head.position.text());
  add(format_rfc3339(h.head.written_at, 9));
  out.add(h.head.version);
  add(h.head.writer);
  add(h.generation);
  add(h.commit);
  for (segment const& s : h.segments) {
    add(s.id);
    out.add(s.pieces).add(s.bytes).add(s.checksum);
  }
  return out.value();
}

std::uint64_t check_of(std::string const& hash, std::string const& id, std::span<std::byte const> bytes) {
  return checksum().add(hash.size()).add(std::string_view(hash)).add(id.size()).add(std::string_view(id)).add(bytes).value();
}

std::optional<std::vector<segment>> read_segments(item const& row) {
  auto const* const found = find(row, "segments");
  auto const* const list = found ? found->as_list() : nullptr;
  if (!list) return std::nullopt;
  std::vector<segment> out;
  for (attribute_value const& each : *list) {
    item const* const map = each.as_map();
    if (!map) return std::nullopt;
    auto const pieces = number_in(*map, "pieces"), bytes = number_in(*map, "bytes"), sum = number_in(*map, "checksum");
    segment& s = out.emplace_back();
    s.id = text_in(*map, "id");
    if (s.id.empty() || !pieces || !bytes || !sum) return std::nullopt;
    s.pieces = *pieces;
    s.bytes = *bytes;
    s.checksum = *sum;
  }
  return out;
}

error with_ids(error e, checkpoint_key const& key, std::string const& table) {
  e.with_stream(key.stream).with_partition(key.partition).with_detail("pipeline " + key.pipeline).with_detail("table " + table);
  return e;
}

}  // namespace

void refuse_stored(std::string why, checkpoint_key const& key, std::string const& table) {
  throw with_ids(error(errc::corrupt, "checkpoint: cannot load", std::move(why),
                       "restore the table from a backup, or erase the checkpoint to begin from the start"),
                 key, table);
}

std::string hash_prefix_of(std::string const& pipeline) { return weir::detail::escaped_name(pipeline) + '/'; }

std::string hash_of(checkpoint_key const& key) {
  std::string out = hash_prefix_of(key.pipeline) + weir::detail::escaped_name(key.stream) + '/' + weir::detail::escaped_name(key.partition);
  if (out.size() <= longest_hash) return out;
  throw error(errc::too_large, "dynamodb: cannot keep a checkpoint",
              "the names of its pipeline, stream and partition have more than " + std::to_string(longest_hash) + " bytes",
              "give the pipeline a shorter name")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline);
}

std::optional<checkpoint_key> key_of(std::string_view hash) {
  auto const first = hash.find('/'), second = first == hash.npos ? hash.npos : hash.find('/', first + 1);
  if (second == hash.npos) return std::nullopt;
  auto pipeline = weir::detail::unescaped_name(hash.substr(0, first)),
       stream = weir::detail::unescaped_name(hash.substr(first + 1, second - first - 1)),
       partition = weir::detail::unescaped_name(hash.substr(second + 1));
  if (!pipeline || !stream || !partition) return std::nullopt;
  return checkpoint_key(*std::move(pipeline), *std::move(stream), *std::move(partition));
}

item row_key(std::string const& hash, std::string part) {
  item out;
  out.emplace(hash_name, text(hash));
  out.emplace(range_name, text(std::move(part)));
  return out;
}

item row_of(std::string const& hash, stored_head const& h) {
  item out = row_key(hash, head_part);
  out.emplace("format", text(std::string(format)));
  out.emplace("position", text(h.head.position.text()));
  out.emplace("written_at", text(format_rfc3339(h.head.written_at, 9)));
  out.emplace("version", number(h.head.version));
  if (!h.head.writer.empty()) out.emplace("writer", text(weir::detail::escaped_name(h.head.writer)));
  out.emplace(generation_name, text(h.generation));
  out.emplace(commit_name, text(h.commit));
  attribute_value::list_type list;
  for (segment const& s : h.segments) {
    item one;
    one.emplace("id", text(s.id));
    one.emplace("pieces", number(s.pieces));
    one.emplace("bytes", number(s.bytes));
    one.emplace("checksum", number(s.checksum));
    list.push_back(attribute_value::map(std::move(one)));
  }
  out.emplace("segments", attribute_value::list(std::move(list)));
  out.emplace("checksum", number(check_of(hash, h)));
  return out;
}

stored_head read_head(item const& row, checkpoint_key const& key, std::string const& table) {
  std::string const found = text_in(row, "format");
  if (found.empty()) refuse_stored("its head says no format", key, table);
  if (found != format) {
    throw with_ids(
        error(errc::incompatible, "checkpoint: cannot use the table",
              "it was written by a later version of Weir: its format is " + found + ", this program knows " + std::string(format),
              "use that version, or give the store another table"),
        key, table);
  }
  stored_head out;
  auto const at = position::parse(text_in(row, "position"));
  auto const written_at = parse_rfc3339(text_in(row, "written_at"));
  auto const version = number_in(row, "version"), sum = number_in(row, "checksum");
  auto writer = weir::detail::unescaped_name(text_in(row, "writer"));
  auto segments = read_segments(row);
  out.generation = text_in(row, generation_name);
  out.commit = text_in(row, commit_name);
  if (!at || !written_at || !version || !writer || !segments || !sum)
    refuse_stored("its head has a field that is not of its form", key, table);
  out.head = checkpoint_head(*at, *written_at, *version, *std::move(writer));
  out.segments = *std::move(segments);
  if (check_of(hash_of(key), out) != *sum) refuse_stored("its head does not match its checksum", key, table);
  return out;
}

std::string random_tag() {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::random_device dice;
  std::string out;
  while (out.size() != 16) out += hex[dice() & 15];
  return out;
}

std::string segment_id(std::string const& generation, std::uint64_t version) {
  return generation + '/' + padded(version, 20) + '/' + random_tag();
}

std::string part_prefix_of(std::string const& id) { return std::string(segment_prefix) + id + '/'; }

std::vector<std::string> piece_parts_of(segment const& s) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i != s.pieces; ++i) out.push_back(part_prefix_of(s.id) + padded(i, 6));
  return out;
}

bool is_garbage(std::string_view part, stored_head const& h) {
  if (!part.starts_with(part_prefix_of(h.generation))) return false;
  std::string_view const id = part.substr(segment_prefix.size(), part.rfind('/') - segment_prefix.size());
  if (std::ranges::any_of(h.segments, [&](segment const& s) { return s.id == id; })) return false;
  std::string_view const version = id.substr(h.generation.size() + 1, 20);
  return version <= padded(h.head.version, 20);
}

std::vector<item> split(std::string const& hash, std::vector<std::byte> const& bytes, segment& into) {
  into.bytes = bytes.size();
  into.pieces = std::max<std::size_t>(1, (bytes.size() + piece_size - 1) / piece_size);
  into.checksum = check_of(hash, into.id, bytes);
  auto const parts = piece_parts_of(into);
  std::vector<item> out;
  for (std::size_t i = 0; i != into.pieces; ++i) {
    auto const begin = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), i * piece_size));
    auto const end = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), (i + 1) * piece_size));
    item row = row_key(hash, parts[i]);
    row.emplace(data_name, attribute_value::binary(attribute_value::bytes(begin, end)));
    out.push_back(std::move(row));
  }
  return out;
}

std::optional<std::vector<std::byte>> join(std::string const& hash, segment const& s, std::vector<item> const& pieces) {
  if (pieces.size() != s.pieces) return std::nullopt;
  std::vector<std::byte> out;
  out.reserve(s.bytes);
  for (item const& row : pieces) {
    auto const* const data = find(row, data_name);
    auto const* const bytes = data ? data->as_binary() : nullptr;
    if (!bytes) return std::nullopt;
    out.insert(out.end(), bytes->begin(), bytes->end());
  }
  if (out.size() != s.bytes || check_of(hash, s.id, out) != s.checksum) return std::nullopt;
  return out;
}

std::size_t merge_from(std::vector<segment> const& segments, std::size_t added) {
  std::size_t from = segments.size();
  if (from < few) return from;
  std::uint64_t behind = std::max(added, least_size);
  while (from != 0 && segments[from - 1].bytes <= 2 * behind) behind += segments[--from].bytes;
  return from;
}

}  // namespace weir::dynamodb::detail
