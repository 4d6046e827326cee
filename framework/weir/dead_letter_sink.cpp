#include <weir/dead_letter_sink.hpp>

namespace weir::detail {

task<std::shared_ptr<store_write>> letters_to_function::take(dead_letter letter) {
  task<> taking = function_(std::move(letter));
  co_await std::move(taking);
  co_return nullptr;
}

}  // namespace weir::detail
