#pragma once
#include <weir/context.hpp>
#include <weir/detail/partition_sink.hpp>
#include <weir/detail/wait_list.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

struct topic_queue;

// A topic while one partition of its pipeline runs: what the handler has sent and no commit has yet.
class partition_topic : public partition_sink {
public:
  partition_topic(progress& p, std::string name);
  // Whether to wait for `room` before the next message.
  bool full() const noexcept;
  wait_list& room() const noexcept;

protected:
  // Throws the error of the deliveries when they have ended by one and nothing more can be taken.
  void check_open(context const& by) const;
  void add(std::string payload);

private:
  std::shared_ptr<sink_write> make(std::size_t messages) override;
  void keep(std::size_t messages) noexcept override;
  std::size_t measure(std::size_t messages) const override;
  void count() noexcept;

  progress& progress_;
  topic_queue& queue_;
  std::vector<std::string> payloads_;
};

template <class T> class partition_topic_of final : public partition_topic {
public:
  partition_topic_of(progress& p, std::string name, std::function<std::string(T const&)> const& payload_of)
      : partition_topic(p, std::move(name)), payload_of_(payload_of) {}
  void send(context const& by, T const& value) {
    check_open(by);
    add(payload_of_(value));
  }

private:
  std::function<std::string(T const&)> const& payload_of_;
};

}  // namespace weir::detail
