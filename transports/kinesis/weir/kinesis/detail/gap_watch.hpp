#pragma once
#include <weir/kinesis/hash_key.hpp>
#include <weir/log.hpp>

#include <string_view>
#include <vector>

namespace weir::kinesis::detail {

// Says when there are keys that nobody reads, though time was to list who would.
class gap_watch {
public:
  // After a listing. How often there was a gap in a row.
  unsigned look(std::vector<hash_key_range> found, std::string_view stream, logger const& log);

private:
  unsigned seen_ = 0;
  std::vector<hash_key_range> said_;
};

}  // namespace weir::kinesis::detail
