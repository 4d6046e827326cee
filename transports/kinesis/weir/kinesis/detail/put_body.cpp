#include <weir/kinesis/detail/put_body.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/kinesis/detail/request_text.hpp>
#include <weir/net/base64.hpp>

namespace weir::kinesis::detail {
namespace {

void append_members(std::string& to, outgoing_record const& r) {
  to += R"("PartitionKey":)";
  aws::append_json_string(to, r.partition_key);
  if (r.explicit_hash_key) {
    to += R"(,"ExplicitHashKey":")";
    to += r.explicit_hash_key->text();
    to += '"';
  }
  to += R"(,"Data":")";
  net::append_base64(to, r.data);
  to += '"';
}

std::string begun(std::string_view stream) {
  std::string out = request_text().add_stream(stream).take();
  out.back() = ',';
  return out;
}

}  // namespace

std::string put_record_body(std::string_view stream, outgoing_record const& record) {
  std::string out = begun(stream);
  append_members(out, record);
  return out += '}';
}

std::string put_records_body(std::string_view stream, std::span<outgoing_record const> records) {
  std::string out = begun(stream);
  std::size_t size = out.size() + 32;
  for (outgoing_record const& r : records) size += r.data.size() / 3 * 4 + r.partition_key.size() + 96;
  out.reserve(size);
  out += R"("Records":[)";
  for (outgoing_record const& r : records) {
    out += out.back() == '[' ? "{" : ",{";
    append_members(out, r);
    out += '}';
  }
  return out += "]}";
}

}  // namespace weir::kinesis::detail
