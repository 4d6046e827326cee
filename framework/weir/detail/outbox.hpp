#pragma once
#include <weir/context.hpp>
#include <weir/detail/child_group.hpp>
#include <weir/detail/outbox_write.hpp>
#include <weir/detail/pipeline_sink.hpp>
#include <weir/detail/topic_queue.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/message.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// The messages of one partition: from the commit that has them in its checkpoint until one that has them no more.
class outbox {
public:
  // Who hears of deliveries.
  class listener {
  public:
    virtual void delivered() noexcept = 0;  // something can be erased
    virtual void undeliverable() noexcept = 0;

  protected:
    ~listener() = default;
  };
  // What one commit makes of it.
  struct step {
    struct part {
      part(topic_queue& t, std::uint64_t up_to) noexcept : of(&t), erased(up_to) {}
      topic_queue* of;
      std::uint64_t erased;
      std::vector<waiting_message> fresh;
    };
    std::vector<part> parts;
  };

  outbox(listener& l, checkpoint_key const& key, std::vector<std::shared_ptr<pipeline_sink>> const& declared);

  // Takes its entries out of those of a checkpoint, or of none. Messages that it knows stay as they are. Throws errc::incompatible when
  // there are messages to a topic that was not declared.
  void restore(std::vector<state_entry>& entries);
  topic_queue& queue(std::string_view topic);
  bool has_delivered() const noexcept;
  // Gives numbers to what was sent, and adds what changes in the checkpoint.
  step next(std::span<std::shared_ptr<outbox_write> const> sent, std::vector<state_change>& changes);
  // The store has it.
  void stored(step s);

  // Runs `work`, and delivers what is stored until it has ended; then deliveries under way are cancelled.
  task<> deliver_beside(task<> work);
  // Until nothing waits. Throws the error by which a delivery has ended.
  task<> all_delivered();
  // How many bytes the messages take that wait.
  std::size_t memory() const noexcept;
  // Until some of them are delivered, or cannot be.
  task<> some_delivered();
  // Null: there is none.
  std::exception_ptr const& failure() const noexcept { return failure_; }

private:
  static root run(outbox& all, topic_queue& q, child_group& g);
  task<> deliver(topic_queue& q);
  task<> send(topic_queue& q, std::vector<message> batch);
  void fail(context const& by, std::exception_ptr failure);
  bool empty() const noexcept;

  listener& listener_;
  checkpoint_key const& key_;
  std::deque<topic_queue> queues_;
  wait_list emptied_, freed_;
  std::exception_ptr failure_;
};

}  // namespace weir::detail
