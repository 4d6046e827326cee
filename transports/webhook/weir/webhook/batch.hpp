#pragma once
#include <weir/webhook/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::webhook {

/// What goes into one request.
struct batch {
  batch() = default;
  std::string body;
  std::size_t rows = 0;
  std::string identity;  ///< of its only row, where rows have one, and the body is this row; else empty
};

/// A row that knows who it is. `errc::malformed` when a text is empty, `errc::too_large`.
batch batch_of_one(std::string json, std::string identity, std::size_t most_bytes);

/// Puts rows into as few batches as the limits allow, in order. Not thread-safe.
class batcher {
public:
  batcher(body_form form, std::size_t most_rows, std::size_t most_bytes) noexcept
      : form_(form), most_rows_(most_rows), most_bytes_(most_bytes) {}

  /// `json`: the row; not empty, and one line where the form is lines (`errc::malformed`, `errc::too_large`).
  void add(std::string_view json);
  /// What has been added since the last call.
  std::vector<batch> take();

private:
  void close();

  body_form form_;
  std::size_t most_rows_, most_bytes_;
  batch open_;
  std::vector<batch> closed_;
};

}  // namespace weir::webhook
