#pragma once
#include <weir/eventhubs/ownership.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace weir::test {

/// The blobs by which consumers share partitions, in memory: conditions, tags, and times to the second, as Blob storage has them.
class ownership_fake {
public:
  std::optional<eventhubs::ownership> at(std::string const& partition) const {
    auto const found = blobs_.find(partition);
    if (found == blobs_.end()) return std::nullopt;
    return found->second;
  }
  eventhubs::ownership_list all(instant now) const {
    eventhubs::ownership_list out;
    for (auto const& [id, o] : blobs_) out.all.push_back(o);
    out.asked = floor_to(now, std::chrono::seconds(1));
    return out;
  }
  /// Empty: the condition does not hold. Else the tag.
  std::string write(eventhubs::ownership_write const& w, instant now) {
    auto const found = blobs_.find(w.before.partition);
    if ((found == blobs_.end() ? std::string() : found->second.etag) != w.before.etag) return {};
    return put(w.before.partition, w.owner(), now);
  }
  std::string put(std::string const& partition, std::string owner, instant now) {
    eventhubs::ownership& o = blobs_[partition];
    o.partition = partition;
    o.owner = std::move(owner);
    o.etag = "\"" + std::to_string(++tags_) + "\"";
    o.modified = floor_to(now, std::chrono::seconds(1));
    return o.etag;
  }
  void drop(std::string const& partition) { blobs_.erase(partition); }

private:
  std::map<std::string, eventhubs::ownership> blobs_;
  unsigned tags_ = 0;
};

}  // namespace weir::test
