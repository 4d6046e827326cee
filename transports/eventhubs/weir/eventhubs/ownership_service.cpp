#include <weir/eventhubs/ownership_service.hpp>

#include <utility>

namespace weir::eventhubs {
namespace {

constexpr char const* owner_key = "ownerid";

ownership ownership_of(azure::blob const& b, std::string_view partition) {
  ownership out;
  out.partition = partition;
  out.etag = b.etag;
  out.modified = b.modified;
  if (auto const owner = b.metadata.find(owner_key); owner != b.metadata.end()) out.owner = owner->second;
  return out;
}

class ownership_blobs final : public ownership_service {
public:
  ownership_blobs(azure::blob_container box, group_blobs names) : box_(std::move(box)), names_(std::move(names)) {}

  task<ownership_list> list() override {
    std::string const prefix = names_.ownerships();
    ownership_list out;
    std::string from;
    do {
      azure::blob_page page = co_await box_.list(prefix, from);
      if (out.asked == 0) out.asked = page.asked;  // the first part is the oldest
      for (azure::blob const& b : page.blobs)
        if (auto const id = partition_of(b.name, prefix); !id.empty()) out.all.push_back(ownership_of(b, id));
      from = std::move(page.next);
    } while (!from.empty());
    co_return out;
  }

  // Metadata first, and a new blob only where there is none: storage that keeps deleted blobs would keep each one that is replaced.
  task<ownership_write_result> write(ownership_write w) override {
    std::string const name = names_.ownership(w.before.partition);
    azure::blob_metadata about;
    about.emplace(owner_key, w.owner());
    task<azure::blob_write> writing = w.before.etag.empty()
                                          ? box_.put(name, std::move(about), azure::blob_condition::absent())
                                          : box_.set_metadata(name, std::move(about), azure::blob_condition::unchanged(w.before.etag));
    azure::blob_write const written = co_await std::move(writing);
    ownership_write_result out;
    out.done = written.is == azure::blob_write::result::done;
    out.etag = written.etag;
    if (out.done) co_return out;
    std::optional<azure::blob> const found = co_await box_.properties(name);
    if (found) out.stored = ownership_of(*found, w.before.partition);
    co_return out;
  }

private:
  azure::blob_container const box_;
  group_blobs const names_;
};

}  // namespace

std::shared_ptr<ownership_service> make_ownership_service(azure::blob_container box, group_blobs names) {
  return std::make_shared<ownership_blobs>(std::move(box), std::move(names));
}

}  // namespace weir::eventhubs
