#pragma once
#include <weir/azure/blob.hpp>

#include <string_view>

namespace weir::azure::detail {

// The answer to List Blobs. Throws `errc::malformed`, which says where.
// Source: "List Blobs" (Azure Storage REST API), response body.
blob_page read_blob_list(std::string_view xml);
// A tag as headers have it: lists leave its quotation marks out.
std::string quoted(std::string_view etag);

}  // namespace weir::azure::detail
