#include <weir/detail/topic_options.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::detail {

topic_options::topic_options(std::shared_ptr<message_sender> by) : sender(std::move(by)) {
  if (!sender) refuse("no sender");
}

void topic_options::limit(std::size_t waiting) {
  if (waiting == 0) refuse("at most 0 messages may wait, so that none could ever be sent; at least 1");
  at_most = waiting;
}

void topic_options::refuse(std::string why) { throw error(errc::invalid_option, "topic: cannot be used", std::move(why)); }

}  // namespace weir::detail
