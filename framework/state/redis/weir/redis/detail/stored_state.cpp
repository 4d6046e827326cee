#include <weir/redis/detail/stored_state.hpp>

#include <weir/checksum.hpp>
#include <weir/detail/ordered_bytes.hpp>
#include <weir/error.hpp>
#include <weir/redis/detail/failure.hpp>
#include <weir/rfc3339.hpp>

#include <charconv>
#include <span>
#include <utility>

namespace weir::redis::detail {
namespace {

constexpr std::size_t piece_size = 1024 * 1024;
constexpr std::size_t commit_limit = std::size_t(512) * 1024 * 1024;  // the server's limit of one argument; that of all is twice as much
constexpr std::size_t check_size = 8;

std::span<std::byte const> as_bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::uint64_t check_of(state_keys const& keys, std::string_view field, std::span<std::byte const> value) {
  return checksum().add(keys.state.size()).add(keys.state).add(field.size()).add(field).add(value).value();
}

void put_number(std::string& to, std::uint64_t n, unsigned bytes) {
  for (unsigned i = 0; i != bytes; ++i) to += static_cast<char>(n >> 8 * i & 0xff);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t out = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// Texts of digits in the order of positions. (Lua compares texts, and its numbers do not hold 64 bits.)
std::string rank_of(position const& p) {
  std::string out;
  for (std::uint64_t const word : {p[0], p[1], p[2], p[3] << 3 | p.size()}) {
    std::string const text = std::to_string(word);
    out.append(20 - text.size(), '0').append(text);
  }
  return out;
}

error with_ids(error e, checkpoint_key const& key, options const& where) {
  e.with_stream(key.stream).with_partition(key.partition).with_detail("pipeline " + key.pipeline).with_detail(address_of(where));
  return e;
}

}  // namespace

void refuse_stored(std::string why, checkpoint_key const& key, options const& where) {
  throw with_ids(error(errc::corrupt, "checkpoint: cannot load", std::move(why),
                       "restore the server's data from a backup, or erase the checkpoint to begin from the start"),
                 key, where);
}

std::optional<stored_head> read_head(reply const& answer, checkpoint_key const& key, options const& where) {
  std::vector<reply> const& parts = answer.parts;
  std::string const word = parts.empty() ? "" : parts[0].text;
  if (word == "absent") return std::nullopt;
  if (word == "head" && parts.size() >= 6) {
    auto const at = position::parse(parts[1].text);
    auto const written_at = parse_rfc3339(parts[2].text);
    auto const version = number(parts[3].text), entries = number(parts[5].text);
    if (!at || !written_at || !version || !entries) refuse_stored("its head has a field that is not of its form", key, where);
    return stored_head(checkpoint_head(*at, *written_at, *version, parts[4].text), *entries);
  }
  if (parts.size() < 3) throw error(errc::malformed, "redis: cannot read a reply", "it is not what the script returns");
  std::string const of = " (" + parts[1].text + ")";
  if (word == "corrupt") refuse_stored(parts[2].text + of, key, where);
  bool const later = word == "later";
  throw with_ids(error(errc::incompatible, "checkpoint: cannot use the server",
                       later ? "it was written by a later version of Weir: its format is " + parts[2].text + ", this program knows 1" + of
                             : "another program uses the key for a " + parts[2].text + of,
                       later ? "use that version, or give the store another space" : "give the store another space or database"),
                 key, where);
}

state_entry read_entry(std::string_view field, std::string_view value, checkpoint_key const& key, state_keys const& keys,
                       options const& where) {
  std::string_view rest = field;
  auto id = weir::detail::take_ordered(rest);
  std::uint64_t stored = 0;
  bool const whole = id && value.size() >= check_size;
  for (std::size_t i = check_size; whole && i-- != 0;) stored = stored << 8 | static_cast<unsigned char>(value[i]);
  auto const bytes = as_bytes(value.substr(whole ? check_size : 0));
  if (!whole || check_of(keys, field, bytes) != stored)
    refuse_stored("an entry of the state" + (id ? " of operator " + *id : "") + " does not match its checksum", key, where);
  return {*std::move(id), std::string(rest), std::vector<std::byte>(bytes.begin(), bytes.end())};
}

std::uint64_t size_of(std::string_view field, std::int64_t stored) noexcept {
  std::string_view rest = field;
  auto const id = weir::detail::take_ordered(rest);
  return (id ? id->size() : 0) + rest.size() + static_cast<std::uint64_t>(stored) - check_size;
}

std::vector<std::string> head_arguments(checkpoint_head const& head) {
  return {std::to_string(head.version - 1),   head.position.text(),         rank_of(head.position),
          format_rfc3339(head.written_at, 9), std::to_string(head.version), head.writer};
}

std::vector<std::string> pack(std::vector<state_change> const& changes, checkpoint_key const& key, state_keys const& keys) {
  std::vector<std::string> out;
  std::string field;
  std::size_t total = 0;
  for (state_change const& c : changes) {
    field.clear();
    weir::detail::put_ordered(field, c.entry.operator_id);
    field += c.entry.key;
    total += field.size() + c.entry.value.size() + 32;
    if (total > commit_limit) {
      throw error(errc::too_large, "redis: cannot commit", "its changes have more than 512 MB", "commit more often, or keep less state")
          .with_stream(key.stream)
          .with_partition(key.partition)
          .with_detail("pipeline " + key.pipeline);
    }
    if (out.empty() || out.back().size() >= piece_size) out.emplace_back();
    std::string& to = out.back();
    bool const put = c.kind == state_change_kind::put, prefix = c.kind == state_change_kind::erase_prefix;
    put_number(to, put ? 0 : prefix ? 2 : 1, 1);
    put_number(to, field.size(), 4);
    to += field;
    if (put) {
      auto const& value = c.entry.value;
      put_number(to, check_size + value.size(), 4);
      put_number(to, check_of(keys, field, value), check_size);
      to.append(reinterpret_cast<char const*>(value.data()), value.size());
    } else {
      std::string const end = prefix ? weir::detail::behind_prefix(field) : "";
      put_number(to, end.size(), 4);
      to += end;
    }
  }
  return out;
}

}  // namespace weir::redis::detail
