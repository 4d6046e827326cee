#include <weir/webhook/idempotency_key.hpp>

#include <weir/net/hashes.hpp>

namespace weir::webhook {
namespace {

// With its size before it, so that no two lists of parts are the same text.
void put(std::string& to, std::string_view part) { to.append(std::to_string(part.size())).append(":").append(part); }

std::string short_hash(std::string const& text) { return net::to_hex(net::sha256(text)).substr(0, 32); }

}  // namespace

std::string key_of_batch(checkpoint_key const& of, std::string_view sink, std::uint64_t commit, std::uint64_t number,
                         std::string_view body) {
  std::string all = "batch";
  for (std::string_view const part : {std::string_view(of.pipeline), std::string_view(of.stream), std::string_view(of.partition), sink})
    put(all, part);
  put(all, std::to_string(commit));
  put(all, std::to_string(number));
  put(all, body);
  return short_hash(all);
}

std::string key_of_row(std::string_view pipeline, std::string_view sink, std::string_view identity) {
  std::string all = "row";
  for (std::string_view const part : {pipeline, sink, identity}) put(all, part);
  return short_hash(all);
}

}  // namespace weir::webhook
