#include "tick_source.hpp"

#include <weir/file/record.hpp>
#include <weir/operators/map.hpp>

#include <utility>

namespace ticks {

tick_source::tick_source(weir::file::options from, std::shared_ptr<tick_decoder const> decoder)
    : file_(std::move(from)), decoder_(std::move(decoder)) {}

weir::stream<tick> tick_source::open(std::string partition, std::optional<weir::position> after) {
  auto const decode = [decoder = decoder_](weir::file::record const& r) { return (*decoder)(r); };
  return file_.open(std::move(partition), after) | weir::map(decode);
}

}  // namespace ticks
