#ifdef WEIR_HAS_KINESIS
#include "chosen_shards.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kinesis_tool {

using weir::kinesis::shard;

std::vector<shard> choose(std::vector<shard> all, std::set<std::string> const& ids, std::string const& stream) {
  if (ids.empty()) return all;
  for (std::string const& id : ids) {
    bool const there = std::any_of(all.begin(), all.end(), [&](shard const& s) { return s.id == id; });
    if (there) continue;
    throw weir::error(weir::errc::not_found, "weir: cannot read the shard", "the stream has none of this id",
                      "weir kinesis lag shows its shards")
        .with_stream(stream)
        .with_partition(id);
  }
  std::erase_if(all, [&](shard const& s) { return !ids.contains(s.id); });
  return all;
}

chosen_shards::chosen_shards(std::shared_ptr<weir::kinesis::shard_service> all, std::vector<std::string> const& ids)
    : all_(std::move(all)), ids_(ids.begin(), ids.end()) {}

weir::task<std::vector<shard>> chosen_shards::list_shards(std::string stream) {
  weir::task<std::vector<shard>> listing = all_->list_shards(stream);
  std::vector<shard> listed = co_await std::move(listing);
  std::vector<shard> chosen = choose(std::move(listed), ids_, stream);
  for (shard& s : chosen) s.parent = s.adjacent_parent = "";
  co_return chosen;
}

weir::task<std::string> chosen_shards::get_shard_iterator(std::string stream, std::string shard_id, weir::kinesis::starting_position from) {
  return all_->get_shard_iterator(std::move(stream), std::move(shard_id), std::move(from));
}
weir::task<weir::kinesis::record_batch> chosen_shards::get_records(std::string iterator, std::size_t limit) {
  return all_->get_records(std::move(iterator), limit);
}

}  // namespace kinesis_tool
#endif
