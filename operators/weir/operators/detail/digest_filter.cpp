#include <weir/operators/detail/digest_filter.hpp>

#include <weir/codec.hpp>
#include <weir/operators/detail/state_errors.hpp>

namespace weir::detail {

digest_filter::digest_filter(std::size_t n) : lines_(n * bits_per_digest / bits_per_line + 1) {}

void digest_filter::save(std::vector<std::byte>& to) const {
  to.reserve(to.size() + sizeof(std::uint64_t) + lines_.size() * sizeof(line));
  encode_state(lines_, to);
}

digest_filter digest_filter::restored(std::string_view who, std::span<std::byte const>& from) {
  digest_filter f(0);
  f.lines_ = decode_part<std::vector<line>>(from);
  if (f.lines_.empty()) throw_damaged_state(who, "a filter of its ids is empty");
  return f;
}

}  // namespace weir::detail
