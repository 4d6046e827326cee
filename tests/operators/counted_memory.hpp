#pragma once

namespace weir::test {

/// Every allocation by operator new of this program, counted; not under ThreadSanitizer, which has its own. In bytes: as much as malloc
/// gave. Whoever looks for a peak sets it back before.
extern long allocations, bytes_in_use, most_bytes_in_use;

}  // namespace weir::test
