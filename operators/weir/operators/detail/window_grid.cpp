#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/window_grid.hpp>

#include <numeric>
#include <string>

namespace weir::detail {
namespace {

std::string grid_text(instant size, instant slide, instant offset) {
  return std::to_string(size) + " ns every " + std::to_string(slide) + " ns from " + std::to_string(offset) + " ns on";
}

}  // namespace

void window_grid::move_by(std::chrono::nanoseconds by) {
  if (by.count() < 0 || by.count() >= slide_) {
    throw error(errc::invalid_option, "window: cannot be built",
                "its offset is " + std::to_string(by.count()) + " ns and windows start every " + std::to_string(slide_) + " ns",
                "give 0 or more and less than that");
  }
  offset_ = by.count();
}

instant window_grid::slice_width() const noexcept { return std::gcd(size_, slide_); }

std::string window_grid::schema(window_state kept) const {
  std::string out = "window, " + span_text(std::chrono::nanoseconds(size_));
  if (!tumbles()) out += " every " + span_text(std::chrono::nanoseconds(slide_));
  if (offset_ != 0) out += " from " + span_text(std::chrono::nanoseconds(offset_)) + " on";
  return out + (kept == window_state::one_result        ? "; one result"
                : kept == window_state::several_results ? "; several results"
                                                        : "; slices");
}

void window_grid::save(window_state kept, std::vector<std::byte>& to) const {
  encode_state(kept, to);
  encode_state(size_, to);
  encode_state(slide_, to);
  encode_state(offset_, to);
}

void window_grid::check_saved(window_state kept, std::span<std::byte const>& from) const {
  auto const kind = decode_part<window_state>(from);
  auto const size = decode_part<instant>(from), slide = decode_part<instant>(from), offset = decode_part<instant>(from);
  if (size != size_ || slide != slide_ || offset != offset_)
    throw_foreign_state("window", "its windows were " + grid_text(size, slide, offset) + " and are " + grid_text(size_, slide_, offset_));
  if (kind != kept) throw_foreign_state("window", "it was kept for another emission or late policy");
}

}  // namespace weir::detail
