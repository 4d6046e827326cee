#include <weir/kinesis/lease_checkpoint.hpp>

#include <weir/kinesis/sequence_number.hpp>

#include <array>
#include <utility>

namespace weir::kinesis {
namespace {

using checkpoint_kind = lease_checkpoint::kind;
constexpr std::array<std::pair<std::string_view, checkpoint_kind>, 4> words{{{"TRIM_HORIZON", checkpoint_kind::trim_horizon},
                                                                             {"LATEST", checkpoint_kind::latest},
                                                                             {"AT_TIMESTAMP", checkpoint_kind::at_timestamp},
                                                                             {"SHARD_END", checkpoint_kind::shard_end}}};

}  // namespace

std::optional<lease_checkpoint> lease_checkpoint::parse(std::string_view text, std::uint64_t sub) {
  lease_checkpoint out;
  out.sub_ = sub;
  for (auto const& [word, which] : words) {
    if (text != word) continue;
    out.kind_ = which;
    return out;
  }
  if (!position_of(text, sub)) return std::nullopt;
  out.kind_ = checkpoint_kind::sequence_number;
  out.sequence_number_ = text;
  return out;
}

std::string lease_checkpoint::text() const {
  for (auto const& [word, which] : words)
    if (which == kind_) return std::string(word);
  return sequence_number_;
}

std::strong_ordering operator<=>(lease_checkpoint const& a, lease_checkpoint const& b) noexcept {
  if (a.kind_ != b.kind_) return a.kind_ <=> b.kind_;
  if (a.kind_ == lease_checkpoint::kind::sequence_number) {
    auto const at = position_of(a.sequence_number_), other = position_of(b.sequence_number_);
    if (at != other) return *at <=> *other;
  }
  return a.sub_ <=> b.sub_;
}

}  // namespace weir::kinesis
