#include <weir/eventhubs/checkpoint_blobs.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::eventhubs {
namespace {

constexpr unsigned most_rounds = 8;  // of others that write the same checkpoint meanwhile

bool is_further(stored_checkpoint const& a, stored_checkpoint const& b) {
  return !b.sequence_number || *a.sequence_number > *b.sequence_number;
}
bool says_the_same(stored_checkpoint const& a, stored_checkpoint const& b) {
  return a.offset == b.offset && a.sequence_number == b.sequence_number;
}

}  // namespace

task<std::vector<stored_checkpoint>> checkpoint_blobs::list() const { return list_in(box_, names_.checkpoints()); }

task<std::vector<stored_checkpoint>> checkpoint_blobs::list_in(azure::blob_container box, std::string prefix) {
  std::vector<stored_checkpoint> out;
  std::string from;
  do {
    azure::blob_page page = co_await box.list(prefix, from);
    for (azure::blob const& b : page.blobs)
      if (auto const id = partition_of(b.name, prefix); !id.empty()) out.push_back(read_checkpoint(b, std::string(id)));
    from = std::move(page.next);
  } while (!from.empty());
  co_return out;
}

task<std::optional<stored_checkpoint>> checkpoint_blobs::find(std::string partition) const {
  std::string name = names_.checkpoint(partition);
  return find_in(box_, std::move(name), std::move(partition));
}

task<std::optional<stored_checkpoint>> checkpoint_blobs::find_in(azure::blob_container box, std::string name, std::string partition) {
  std::optional<azure::blob> const found = co_await box.properties(std::move(name));
  if (!found) co_return std::nullopt;
  co_return read_checkpoint(*found, std::move(partition));
}

task<checkpoint_write> checkpoint_blobs::write(stored_checkpoint to) const {
  if (to.offset.empty() || !to.sequence_number)
    throw error(errc::misuse, "event hubs: a checkpoint cannot be written", "it needs an offset and a sequence number: others read both")
        .with_partition(to.partition);
  std::string name = names_.checkpoint(to.partition);
  return write_to(box_, std::move(name), std::move(to));
}

// A write whose answer was lost is known again by what it has written.
task<checkpoint_write> checkpoint_blobs::write_to(azure::blob_container box, std::string name, stored_checkpoint to) {
  checkpoint_write out;
  for (unsigned round = 0; round != most_rounds; ++round) {
    azure::blob_metadata about = to_metadata(to);
    task<azure::blob_write> writing = to.etag.empty() ? box.put(name, std::move(about), azure::blob_condition::absent())
                                                      : box.set_metadata(name, std::move(about), azure::blob_condition::unchanged(to.etag));
    azure::blob_write const written = co_await std::move(writing);
    if (written.is == azure::blob_write::result::done) {
      out.done = true;
      to.etag = written.etag;
      out.stored = std::move(to);
      co_return out;
    }
    task<std::optional<stored_checkpoint>> looking = find_in(box, name, to.partition);
    std::optional<stored_checkpoint> found = co_await std::move(looking);
    if (found && (says_the_same(*found, to) || !is_further(to, *found))) {
      out.done = says_the_same(*found, to);
      out.stored = *std::move(found);
      co_return out;
    }
    to.etag = found ? found->etag : std::string();
  }
  throw error(errc::busy, "event hubs: a checkpoint cannot be written", "others write it again and again",
              "find out who else reads this group's partition")
      .with_partition(to.partition);
}

}  // namespace weir::eventhubs
