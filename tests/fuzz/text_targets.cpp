#include <weir/amqp/value_view.hpp>
#include <weir/azure/detail/blob_list.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/connection_string.hpp>
#include <weir/eventhubs/detail/properties_reply.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/eventhubs/record_unpacker.hpp>

#include "fuzz/looked_at.hpp"
#include "fuzz/targets.hpp"

#include <cstdlib>
#include <string>

namespace weir::test {

void fuzz_records(std::string_view bytes) {
  eventhubs::record_unpacker unpacker("0");
  if (auto const record = unpacker.unpack(bytes)) {
    looked_at(record->properties());
    looked_at(record->system_properties());
    (void)record->about();
    if (std::string(record->payload()).size() + record->offset().size() + record->partition_key().size() > 4 * bytes.size()) std::abort();
  }
  if (auto const value = amqp::value_reader(bytes).next()) {
    (void)eventhubs::detail::hub_properties_in(*value);
    (void)eventhubs::detail::partition_properties_in(*value);
  }
}

// Errors say what is wrong, and never show a key.
void fuzz_connection_strings(std::string_view bytes) {
  try {
    auto const parsed = eventhubs::connection_string::parse(std::string(bytes));
    if (parsed.host.empty()) std::abort();
  } catch (error const& e) {
    if (e.code() != errc::invalid_option) std::abort();
  }
}

void fuzz_blobs(std::string_view bytes) {
  try {
    for (azure::blob const& b : azure::detail::read_blob_list(bytes).blobs) (void)eventhubs::read_checkpoint(b, "0");
  } catch (error const& e) {
    if (e.code() != errc::malformed && e.code() != errc::corrupt) std::abort();
  }
}

}  // namespace weir::test
