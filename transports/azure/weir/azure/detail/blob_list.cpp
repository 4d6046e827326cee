#include <weir/azure/detail/blob_list.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>
#include <weir/net/http_date.hpp>
#include <weir/net/percent.hpp>

#include <pugixml.hpp>

#include <optional>
#include <utility>

namespace weir::azure::detail {
namespace {

[[noreturn]] void refuse_list(std::string why) {
  throw error(errc::malformed, "azure: the answer to List Blobs cannot be read", std::move(why));
}

blob blob_of(pugi::xml_node node) {
  blob out;
  pugi::xml_node const name = node.child("Name"), about = node.child("Properties");
  out.name = name.child_value();
  if (name.attribute("Encoded").as_bool()) out.name = net::percent_decoded(out.name);  // it has what XML cannot
  if (out.name.empty()) refuse_list("a blob has no name");
  out.etag = quoted(about.child_value("Etag"));
  std::optional<instant> const modified = net::parse_http_date(about.child_value("Last-Modified"), 0);
  if (out.etag.empty() || !modified) refuse_list("the blob " + out.name + " has no Etag, or no time");
  out.modified = *modified;
  for (pugi::xml_node const m : node.child("Metadata").children())
    if (m.type() == pugi::node_element) out.metadata.insert_or_assign(net::lower_case(m.name()), m.child_value());
  return out;
}

}  // namespace

std::string quoted(std::string_view etag) {
  if (etag.empty() || etag.front() == '"' || etag.starts_with("W/")) return std::string(etag);
  std::string out = "\"";
  return out.append(etag).append("\"");
}

blob_page read_blob_list(std::string_view xml) {
  pugi::xml_document whole;
  // Values of metadata may be blanks alone.
  pugi::xml_parse_result const read =
      whole.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_auto);
  if (!read) refuse_list("at byte " + std::to_string(read.offset) + ": " + read.description());
  pugi::xml_node const all = whole.child("EnumerationResults");
  if (!all.child("Blobs")) refuse_list("it has no <EnumerationResults> with <Blobs>");
  blob_page out;
  for (pugi::xml_node const b : all.child("Blobs").children("Blob")) out.blobs.push_back(blob_of(b));
  out.next = all.child_value("NextMarker");
  return out;
}

}  // namespace weir::azure::detail
