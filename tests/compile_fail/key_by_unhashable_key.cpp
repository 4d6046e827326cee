// error: a key needs operator== and std::hash (or Boost's hash_value)
#include <weir/operators/key_by.hpp>

struct place {
  double x, y;
};
void misuse(weir::stream<place> places) {
  auto s = std::move(places) | weir::key_by([](place const& p) { return p; });
}
