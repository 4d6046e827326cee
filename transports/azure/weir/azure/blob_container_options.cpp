#include <weir/azure/blob_container_options.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace weir::azure {
namespace {

// Of azurite, and of Microsoft's emulator before it: public, the same on every machine.
// Source: "Connect to Azurite with SDKs and tools" (Azure documentation).
constexpr std::string_view development_account = "devstoreaccount1",
                           development_key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
                           development_host = "http://127.0.0.1:10000/";

[[noreturn]] void refuse_storage_string(std::string why) {
  throw error(errc::invalid_option, "azure: the connection string of the storage account cannot be used", std::move(why),
              "use the one that the portal shows under \"Access keys\": DefaultEndpointsProtocol=https;AccountName=NAME;AccountKey=KEY;"
              "EndpointSuffix=core.windows.net");
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr char const* blanks = " \t\r\n";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// The parts that are of use here; those that say where queues, tables and files are, are not.
struct storage_parts {
  std::string protocol, account, key, suffix, blobs, signature, development;
};

std::string* part_of(storage_parts& all, std::string_view name) {
  std::array<std::pair<std::string_view, std::string*>, 7> const known{{{"DefaultEndpointsProtocol", &all.protocol},
                                                                        {"AccountName", &all.account},
                                                                        {"AccountKey", &all.key},
                                                                        {"EndpointSuffix", &all.suffix},
                                                                        {"BlobEndpoint", &all.blobs},
                                                                        {"SharedAccessSignature", &all.signature},
                                                                        {"UseDevelopmentStorage", &all.development}}};
  auto const* const found = std::ranges::find_if(known, [&](auto const& k) { return net::same_name(k.first, name); });
  return found == known.end() ? nullptr : found->second;
}

storage_parts parts_of(std::string_view text) {
  static constexpr std::array<std::string_view, 8> others{
      "QueueEndpoint",          "TableEndpoint",          "FileEndpoint",          "BlobSecondaryEndpoint",
      "QueueSecondaryEndpoint", "TableSecondaryEndpoint", "FileSecondaryEndpoint", "DevelopmentStorageProxyUri"};
  storage_parts out;
  while (!text.empty()) {
    std::string_view const part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (trimmed(part).empty()) continue;
    std::size_t const equals = part.find('=');
    std::string_view const name = trimmed(part.substr(0, equals));
    std::string* const to = part_of(out, name);
    if (!to && std::ranges::any_of(others, [&](std::string_view o) { return net::same_name(o, name); })) continue;
    // What is no name may be a key, and is not shown.
    if (equals == part.npos || !to) refuse_storage_string("a part of it is no name and its value, or has a name that is not known");
    if (!to->empty()) refuse_storage_string(std::string(name) + " stands there twice");
    *to = trimmed(part.substr(equals + 1));
  }
  return out;
}

}  // namespace

blob_container_options blob_container_options::from_connection_string(std::string_view text, std::string_view container) {
  if (container.empty()) throw error(errc::invalid_option, "azure: no container of Blob storage is named", {}, "name one");
  storage_parts all = parts_of(text);
  blob_container_options out;
  if (net::same_name(all.development, "true")) {
    out.url = std::string(development_host).append(development_account).append("/").append(container);
    out.by = shared_key(std::string(development_account), development_key);
    return out;
  }
  if (!all.development.empty()) refuse_storage_string("UseDevelopmentStorage is not true");
  if (all.blobs.empty()) {
    if (all.account.empty()) refuse_storage_string("it has neither an AccountName nor a BlobEndpoint");
    out.url = (all.protocol.empty() ? "https" : all.protocol) + "://" + all.account + ".blob." +
              (all.suffix.empty() ? "core.windows.net" : all.suffix);
  } else {
    out.url = all.blobs;
  }
  if (!out.url.ends_with('/')) out.url += '/';
  out.url += container;
  if (!all.key.empty() && !all.signature.empty()) refuse_storage_string("it has both an AccountKey and a SharedAccessSignature");
  if (!all.key.empty()) {
    if (all.account.empty()) refuse_storage_string("it has an AccountKey and no AccountName");
    out.by = shared_key(std::move(all.account), all.key);
  } else if (!all.signature.empty()) {
    out.by = shared_access_signature(std::move(all.signature));
  } else {
    refuse_storage_string("it has neither an AccountKey nor a SharedAccessSignature");
  }
  return out;
}

}  // namespace weir::azure
