#pragma once
#include <weir/position.hpp>
#include <weir/stream.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What a transport is to the framework: a named thing with partitions, each of which can be read in order from a position.
/// Implement it to feed a pipeline from anything: `app.use_source(std::make_shared<my_source>(), ...)`.
///
/// Elements that are `positioned` (records) carry their positions; others are counted, so `after` is then the number of elements to
/// leave out.
template <class R> class source {
public:
  using element_type = R;
  source() = default;
  source(source const&) = delete;
  source& operator=(source const&) = delete;
  virtual ~source() = default;
  /// For messages and, unless the pipeline is named, for the checkpoint's key: "file ticks.ndjson".
  virtual std::string_view name() const noexcept = 0;
  /// The ids of the partitions, in a stable order. At least one. Throws `weir::error` when the source cannot be reached.
  virtual std::vector<std::string> partitions() const = 0;
  /// The partition's elements strictly after `after` (from the start when there is none). May be called again, after a
  /// failure, with the position the pipeline has got to. What cannot be opened is thrown here or by the first pull.
  virtual stream<R> open(std::string partition, std::optional<position> after) = 0;
};

}  // namespace weir
