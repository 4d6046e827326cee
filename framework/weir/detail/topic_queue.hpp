#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/detail/topic_options.hpp>
#include <weir/detail/wait_list.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace weir::detail {

struct waiting_message {
  waiting_message(std::uint64_t n, std::string p) noexcept : number(n), payload(std::move(p)) {}
  std::uint64_t number;
  std::string payload;
};

// How many bytes of memory a message takes.
inline std::size_t memory_of(std::string const& payload) noexcept { return sizeof(waiting_message) + owned_bytes(payload); }

// The messages of one partition to one topic.
struct topic_queue {
  topic_queue(std::string n, topic_options const& o) : name(std::move(n)), options(&o) {}
  topic_queue(topic_queue const&) = delete;
  topic_queue& operator=(topic_queue const&) = delete;

  // So many wait that the next one has to wait for a delivery. Those that no commit has yet cannot be delivered, so that they alone
  // stop nobody.
  bool full() const noexcept { return !waiting.empty() && waiting.size() + open >= options->at_most; }
  bool has_delivered() const noexcept { return erased != delivered; }
  void add(waiting_message m) {
    memory += memory_of(m.payload);
    waiting.push_back(std::move(m));
  }
  void drop_first() {
    memory -= memory_of(waiting.front().payload);
    waiting.pop_front();
  }
  // The last one that is known to be in the store.
  std::uint64_t stored() const noexcept { return waiting.empty() ? delivered : waiting.back().number; }

  std::string name;
  topic_options const* options;
  std::deque<waiting_message> waiting;  // in the store, and not delivered
  std::size_t memory = 0;               // bytes, of those that wait
  std::size_t open = 0;                 // sent, and in front of no checkpoint yet
  // Numbers: up to there ...
  std::uint64_t last = 0;       // ... they are given to messages that are in the store, or have been
  std::uint64_t delivered = 0;  // ... they are delivered
  std::uint64_t erased = 0;     // ... there are none in the store
  bool restored = false;
  wait_list filled, room;
};

}  // namespace weir::detail
