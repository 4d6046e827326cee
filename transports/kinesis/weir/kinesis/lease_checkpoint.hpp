#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::kinesis {

/// Up to where a shard has been processed, as the lease table of KCL says it: a sequence number and the number of a record within the
/// record of that one, or a word for where to begin, or that the shard has ended. A value.
///
/// Ordered as a checkpoint moves: the words to begin with, sequence numbers as numbers, SHARD_END.
/// Source: ExtendedSequenceNumber and SentinelCheckpoint of KCL 3.5.
class lease_checkpoint {
public:
  enum class kind : std::uint8_t { at_timestamp, trim_horizon, latest, sequence_number, shard_end };

  lease_checkpoint() noexcept = default;  ///< TRIM_HORIZON
  static lease_checkpoint trim_horizon() noexcept { return {}; }
  static lease_checkpoint latest() noexcept { return lease_checkpoint(kind::latest); }
  /// Which time is meant is not in the table: every worker has to be told the same.
  static lease_checkpoint at_timestamp() noexcept { return lease_checkpoint(kind::at_timestamp); }
  static lease_checkpoint shard_end() noexcept { return lease_checkpoint(kind::shard_end); }
  /// Null for what is neither a word nor a sequence number (`position_of`).
  static std::optional<lease_checkpoint> parse(std::string_view text, std::uint64_t sub = 0);

  kind what() const noexcept { return kind_; }
  /// Something of the shard has been processed: it is a sequence number, or SHARD_END.
  bool begun() const noexcept { return kind_ >= kind::sequence_number; }
  bool ended() const noexcept { return kind_ == kind::shard_end; }
  /// "TRIM_HORIZON", "49590338271490256608559692538361571095921575989136588898".
  std::string text() const;
  /// Of the records in the last one (KPL), the last that is done; 0 also for plain records.
  std::uint64_t sub() const noexcept { return sub_; }

  friend std::strong_ordering operator<=>(lease_checkpoint const& a, lease_checkpoint const& b) noexcept;
  friend bool operator==(lease_checkpoint const& a, lease_checkpoint const& b) noexcept { return (a <=> b) == 0; }

private:
  explicit lease_checkpoint(kind k) noexcept : kind_(k) {}

  kind kind_ = kind::trim_horizon;
  std::string sequence_number_;
  std::uint64_t sub_ = 0;
};

}  // namespace weir::kinesis
