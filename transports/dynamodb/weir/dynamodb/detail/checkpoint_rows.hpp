#pragma once
#include <weir/dynamodb/attribute_value.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How a checkpoint lies in the table. All of it has the partition key "bars/ticks/shard-1" (pipeline, stream, partition; %XX for every byte
// but letters, digits and ".-_"); the sort key says what an item is:
//   head                               the one item that a commit replaces, by the condition that it is the one it builds on
//   segment/GENERATION/VERSION/TAG/n   the n-th piece of a segment: of the changes of some commits, which never change again
// What the head names is the checkpoint, whatever else lies there. So segments are written first, then the head, and what it no longer
// names is deleted after that: wherever it ends, the checkpoint is whole. A name is used once: TAG is random; GENERATION is, too, from the
// first commit to the erasure of a checkpoint. What is in the way of nobody any more is known by that: a segment of this generation that
// the head does not name, and whose VERSION is not above the head's, cannot come to be named.
namespace weir::dynamodb::detail {

inline constexpr char const* hash_name = "checkpoint";
inline constexpr char const* range_name = "part";
inline constexpr char const* head_part = "head";
inline constexpr char const* data_name = "data";
inline constexpr char const* commit_name = "commit";
inline constexpr char const* generation_name = "generation";
inline constexpr std::string_view segment_prefix = "segment/";

// A segment as a head names it.
struct segment {
  segment() = default;
  friend bool operator==(segment const&, segment const&) = default;

  std::string id;  // GENERATION/VERSION/TAG
  std::uint64_t pieces = 0, bytes = 0, checksum = 0;
};

// What a head says.
struct stored_head {
  stored_head() = default;

  checkpoint_head head;
  std::string generation;
  std::string commit;             // of this very commit, and of no other
  std::vector<segment> segments;  // the first ones are the oldest
};

// Throws errc::too_large: a partition key has at most 2,048 bytes.
std::string hash_of(checkpoint_key const& key);
// Null: it is none.
std::optional<checkpoint_key> key_of(std::string_view hash);
// What the partition keys of a pipeline begin with.
std::string hash_prefix_of(std::string const& pipeline);

item row_key(std::string const& hash, std::string part);
item row_of(std::string const& hash, stored_head const& h);
// Throws errc::corrupt, errc::incompatible.
stored_head read_head(item const& row, checkpoint_key const& key, std::string const& table);

std::string random_tag();
std::string segment_id(std::string const& generation, std::uint64_t version);
// What the sort keys of its pieces begin with.
std::string part_prefix_of(std::string const& id);
// The sort keys of its pieces.
std::vector<std::string> piece_parts_of(segment const& s);
// Whether the piece of that sort key can be deleted, once `h` is the head.
bool is_garbage(std::string_view part, stored_head const& h);

// The pieces of a segment, as items, and the segment that they are.
std::vector<item> split(std::string const& hash, std::vector<std::byte> const& bytes, segment& into);
// The bytes of its pieces, in the order of their sort keys. Null: they are not all there, or not as they were.
std::optional<std::vector<std::byte>> join(std::string const& hash, segment const& s, std::vector<item> const& pieces);

// From which of the segments on, whose sizes these are, a commit of `added` bytes puts them together with its own changes: none, while they
// are few; else those at the end that are not much larger than what comes behind them. So there are never many more than `few`, and a
// byte is written again once each time that what it lies with has doubled.
std::size_t merge_from(std::vector<segment> const& segments, std::size_t added);

[[noreturn]] void refuse_stored(std::string why, checkpoint_key const& key, std::string const& table);

}  // namespace weir::dynamodb::detail
