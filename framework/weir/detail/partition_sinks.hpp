#pragma once
#include <weir/barrier.hpp>
#include <weir/detail/partition_sink.hpp>
#include <weir/detail/partition_topic.hpp>
#include <weir/detail/pipeline_sink.hpp>
#include <weir/position.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace weir::detail {

class progress;

// All sinks and topics of a pipeline while one of its partitions runs.
class partition_sinks {
public:
  partition_sinks(progress& p, std::vector<std::shared_ptr<pipeline_sink>> declared);

  // These throw errc::misuse when there is none of that name.
  partition_sink& find(std::string_view name) const;
  partition_topic& find_topic(std::string_view name) const;
  void written_by(context const* handler) noexcept;

  // The partition begins from its checkpoint: nothing has been written so far.
  task<> resume(checkpoint_key key, std::uint64_t number, std::uint64_t fences);
  void settle(position const& done) noexcept;
  void settle_all() noexcept;
  void drop_open() noexcept;
  bool have_open() const noexcept;
  bool have_left() const noexcept;
  // How many bytes the rows take.
  std::size_t memory() const noexcept;
  // Throws errc::misuse when open rows cannot go with the barrier.
  void check(barrier const& b) const;
  // What the sinks make of the rows, for `to`.
  void take_settled(std::function<void(std::shared_ptr<sink_write>)> const& to);
  void take_left(std::function<void(std::shared_ptr<sink_write>)> const& to);
  void take_all(std::function<void(std::shared_ptr<sink_write>)> const& to);
  // Of no rows, of those outside of the store that know writes by the number of their commit.
  void take_none(std::function<void(std::shared_ptr<sink_write>)> const& to);

private:
  std::vector<std::shared_ptr<pipeline_sink>> declared_;
  std::vector<std::unique_ptr<partition_sink>> open_;
};

[[noreturn]] void throw_other_rows(std::string_view sink);
[[noreturn]] void throw_other_values(std::string_view topic);

}  // namespace weir::detail
