// error: merge needs event time in all its inputs or in none; put event_time
#include <weir/operators/merge.hpp>

void misuse(weir::stream<int> plain, weir::timed_stream<int> timed) { auto s = weir::merge(std::move(plain), std::move(timed)); }
