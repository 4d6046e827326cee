#pragma once
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/group_blobs.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace weir::test {

/// The blobs in which consumers tell each other how far partitions are, in memory.
class checkpoint_fake {
public:
  std::optional<eventhubs::stored_checkpoint> at(std::string const& partition) const {
    auto const found = blobs_.find(partition);
    if (found == blobs_.end()) return std::nullopt;
    return found->second;
  }
  /// As other clients write them: whatever is there.
  void put(std::string const& partition, std::string offset, std::optional<std::int64_t> number) {
    eventhubs::stored_checkpoint& c = blobs_[partition];
    c.partition = partition;
    c.offset = std::move(offset);
    c.sequence_number = number;
    c.etag = "\"c" + std::to_string(++tags_) + "\"";
  }
  /// As `checkpoint_blobs` promises it: where it is the one that was seen; else forward only.
  eventhubs::checkpoint_write write(eventhubs::stored_checkpoint const& to) {
    auto const there = at(to.partition);
    std::string const tag = there ? there->etag : std::string();
    eventhubs::checkpoint_write out;
    out.done = tag == to.etag || !there || !there->sequence_number || *there->sequence_number <= *to.sequence_number;
    if (out.done) put(to.partition, to.offset, to.sequence_number);
    out.stored = *at(to.partition);
    ++writes;
    return out;
  }
  std::size_t writes = 0;

private:
  std::map<std::string, eventhubs::stored_checkpoint> blobs_;
  unsigned tags_ = 0;
};

}  // namespace weir::test
