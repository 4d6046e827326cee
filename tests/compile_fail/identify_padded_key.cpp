// error: this key has no text that is the same in every run: it needs a codec, and no padding
#include <weir/operators/result_identity.hpp>

struct padded {
  char exchange;
  int number;
};
auto misuse(weir::window_result<padded, int> const& r) { return weir::identify("ticks", "bars", r); }
