#pragma once

#include "tick.hpp"
#include "tick_decoder.hpp"

#include <weir/file/options.hpp>
#include <weir/file/source.hpp>
#include <weir/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ticks {

/// A file as a source of ticks, one per record: of a record that is no tick one without a name, where the decoder's policy lets it pass.
///
/// Where it does not, the source fails, behind the ticks before it: these are in the checkpoint then. Otherwise as `weir::file::source`.
class tick_source final : public weir::source<tick> {
public:
  tick_source(weir::file::options from, std::shared_ptr<tick_decoder const> decoder);

  std::string_view name() const noexcept override { return file_.name(); }
  std::vector<std::string> partitions() const override { return file_.partitions(); }
  weir::stream<tick> open(std::string partition, std::optional<weir::position> after) override;

private:
  weir::file::source file_;
  std::shared_ptr<tick_decoder const> decoder_;
};

}  // namespace ticks
