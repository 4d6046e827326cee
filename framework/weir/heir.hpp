#pragma once
#include <string_view>

namespace weir {

/// A partition that goes on where another has ended for good (a shard behind a split or a merge), to the operators that take over what was
/// kept for that one: `inherit` in `stage.hpp`. Valid during the call. Strand only.
class heir {
public:
  /// Whether what is kept for records of this partition key goes over; each key has one heir. Throws `errc::misuse` when no such record can
  /// have been in the partition that has ended, so that nothing tells where others of the kind will be.
  virtual bool owns(std::string_view partition_key) const = 0;
  /// Whether what is kept for no key in particular (books) goes over: to one of the heirs.
  virtual bool takes_rest() const noexcept = 0;

protected:
  ~heir() = default;
};

}  // namespace weir
