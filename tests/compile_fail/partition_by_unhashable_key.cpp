// error: a key needs operator==, std::hash (or Boost's hash_value), and to be copyable
#include <weir/operators/partition_by.hpp>

struct place {
  double x, y;
};
void misuse(weir::stream<place> places) {
  auto s = std::move(places) | weir::partition_by([](place const& p) { return p; });
}
