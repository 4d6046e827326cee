#pragma once
#include <span>
#include <string_view>

namespace weir::test {

/// Something that reads bytes of others. It returns whatever they are; what it finds out about itself it says by `std::abort`.
struct fuzz_target {
  std::string_view name;  ///< also of the folder with its corpus
  void (*run)(std::string_view bytes);
};

/// All of them.
std::span<fuzz_target const> fuzz_targets();

// AMQP's codec: values, frames with their bodies, messages.
void fuzz_values(std::string_view bytes);
void fuzz_frames(std::string_view bytes);
void fuzz_messages(std::string_view bytes);
// State machines, fed whole and in pieces, which must not make a difference.
void fuzz_sasl(std::string_view bytes);
void fuzz_connection(std::string_view bytes);
void fuzz_hub_session(std::string_view bytes);
// What Event Hubs and Blob storage say.
void fuzz_records(std::string_view bytes);
void fuzz_connection_strings(std::string_view bytes);
void fuzz_blobs(std::string_view bytes);

}  // namespace weir::test
