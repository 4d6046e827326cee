// error: key and state of process are part of checkpoints and need a codec
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

#include <string>
#include <string_view>

namespace {

struct last_word {
  using output = int;
  struct state {
    std::string word;
    std::string_view part;
  };
  void element(int, state&, weir::process_context<int, int>&) {}
};

}  // namespace

void misuse(weir::timed_stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) | weir::process(last_word(), weir::never_expires());
}
