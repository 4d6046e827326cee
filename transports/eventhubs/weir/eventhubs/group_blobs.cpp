#include <weir/eventhubs/group_blobs.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace weir::eventhubs {
namespace {

std::string const* value_in(azure::blob_metadata const& all, char const* name) {
  auto const found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace

group_blobs::group_blobs(std::string_view host, std::string_view event_hub, std::string_view consumer_group) {
  for (std::string_view const part : {host, event_hub, consumer_group}) {
    if (part.empty())
      throw error(errc::invalid_option, "event hubs: partitions cannot be shared by blobs", "namespace, event hub or group has no name",
                  "name all three");
    prefix_ += net::lower_case(part) + '/';
  }
}

std::string_view partition_of(std::string_view name, std::string_view prefix) noexcept {
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  return name.find('/') == name.npos ? name : std::string_view();
}

stored_checkpoint read_checkpoint(azure::blob const& b, std::string partition) {
  stored_checkpoint out;
  out.partition = std::move(partition);
  out.etag = b.etag;
  // Some versions of .NET's client wrote "no offset".
  if (std::string const* const offset = value_in(b.metadata, "offset"); offset && *offset != "no offset") out.offset = *offset;
  if (std::string const* const digits = value_in(b.metadata, "sequencenumber")) {
    std::int64_t number = 0;
    auto const [end, wrong] = std::from_chars(digits->data(), digits->data() + digits->size(), number);
    if (wrong == std::errc{} && end == digits->data() + digits->size() && number >= 0) out.sequence_number = number;
  }
  if (out.offset.empty() && !out.sequence_number)
    throw error(errc::corrupt, "event hubs: a checkpoint cannot be read",
                "the metadata of the blob " + b.name + " has neither an offset nor a sequencenumber that is one",
                "correct the blob, or delete it to begin as without a checkpoint")
        .with_partition(out.partition);
  return out;
}

azure::blob_metadata to_metadata(stored_checkpoint const& c) {
  azure::blob_metadata out;
  out.emplace("offset", c.offset);
  out.emplace("sequencenumber", c.sequence_number ? std::to_string(*c.sequence_number) : std::string());
  return out;
}

}  // namespace weir::eventhubs
