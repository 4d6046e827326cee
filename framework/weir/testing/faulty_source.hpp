#pragma once
#include <weir/source.hpp>
#include <weir/testing/detail/partition_turns.hpp>
#include <weir/testing/fault_script.hpp>
#include <weir/testing/script.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::testing {

/// A scripted source some of whose reads go wrong. Each read brings one chunk of the script, or its end, and gives way to the event loop
/// before and after. Strand only.
template <class T> class faulty_source final : public source<T> {
public:
  explicit faulty_source(script<T> s, fault_script reads = fault_script("read"))
      : script_(std::move(s)), turns_(script_.succession()), reads_(std::move(reads)) {}
  std::string_view name() const noexcept override { return script_.name(); }
  std::vector<std::string> partitions() const override { return script_.partitions(); }
  stream<T> open(std::string partition, std::optional<position> after) override {
    std::uint64_t const known = after ? after->offset() : 0;
    return read(script_.play(partition, known), partition, known, reads_);
  }

  stream<assignment> assignments(assignment_view& pipeline) override {
    return turns_.matter() ? turns_.assignments(pipeline) : source<T>::assignments(pipeline);
  }
  void ended(std::string const& partition, partition_end how) noexcept override { turns_.ended(partition, how); }
  std::optional<position> end_of(std::string const& partition) const override { return turns_.end_of(partition); }
  bool knows_heirs() const noexcept override { return turns_.matter(); }
  std::vector<predecessor> predecessors(std::string const& partition) const override { return turns_.predecessors(partition); }
  std::vector<std::string> heirs(std::string const& partition) const override { return turns_.heirs(partition); }
  bool owns(std::string const& partition, std::string_view partition_key) const override { return turns_.owns(partition, partition_key); }

private:
  static stream<T> read(stream<T> from, std::string partition, std::uint64_t seen, fault_script reads) {
    for (;;) {
      fault_script::call const c = co_await reads.begin();
      chunk<T> got = co_await next_chunk(from);
      std::string told = "partition " + partition;
      if (!got) told += " has ended";
      else if (got.elements.empty()) told += " is quiet";
      else told += ", elements from " + std::to_string(seen + 1) + " to " + std::to_string(seen + got.elements.size());
      seen += got.elements.size();
      co_await reads.done(c, std::move(told));
      if (!got) break;
      co_yield got;
    }
  }

  script<T> script_;
  detail::partition_turns turns_;
  fault_script reads_;
};

}  // namespace weir::testing
