#include <weir/memory_sender.hpp>

#include <iterator>
#include <utility>

namespace weir {

task<> memory_sender::send(std::vector<message> batch) {
  std::move(batch.begin(), batch.end(), std::back_inserter(messages_));
  co_return;
}

}  // namespace weir
