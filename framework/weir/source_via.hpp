#pragma once
#include <weir/record.hpp>
#include <weir/source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Has its elements through a function, and all else from the source they are made of: every member that `source` has is here.
template <class T, class R, class Flow> class passed_source final : public source<T> {
public:
  passed_source(std::shared_ptr<source<R>> from, Flow flow) : from_(std::move(from)), flow_(std::move(flow)) {}

  std::string_view name() const noexcept override { return from_->name(); }
  std::vector<std::string> partitions() const override { return from_->partitions(); }
  stream<T> open(std::string partition, std::optional<position> after) override { return flow_(from_->open(std::move(partition), after)); }
  stream<assignment> assignments(assignment_view& pipeline) override { return from_->assignments(pipeline); }
  void ended(std::string const& partition, partition_end how) noexcept override { from_->ended(partition, how); }
  task<> attend(assignment_view& pipeline) override { return from_->attend(pipeline); }
  void drains() noexcept override { from_->drains(); }
  std::optional<position> end_of(std::string const& partition) const override { return from_->end_of(partition); }
  std::optional<std::uint64_t> unread(std::string const& partition) const override { return from_->unread(partition); }
  bool knows_heirs() const noexcept override { return from_->knows_heirs(); }
  std::vector<predecessor> predecessors(std::string const& partition) const override { return from_->predecessors(partition); }
  std::vector<std::string> heirs(std::string const& partition) const override { return from_->heirs(partition); }
  bool owns(std::string const& partition, std::string_view partition_key) const override { return from_->owns(partition, partition_key); }

private:
  std::shared_ptr<source<R>> from_;
  Flow flow_;
};

}  // namespace detail

/// The source `from` with other elements: what is opened goes through `flow`, `stream<R>` in, `stream<T>` or what becomes one out.
/// ```cpp
/// app.use_source(weir::source_via<tick>(records, [](auto in) { return std::move(in) | weir::map(decode); }), ...);
/// ```
/// For what belongs to the reading and not to the handling: what `flow` fails with is then a failure of the source, in front of which all
/// is committed. Everything else is as `from` has it: name, partitions, who reads them and until when, where keys go when a partition ends.
///
/// `flow` is called once for each opening, on its strand. Each element it gives has the position of the one it is made of; of elements
/// without positions it gives as many as it gets. It may leave some out, and adds none, and keeps their order. It has no part in
/// checkpoints: what its operators keep begins anew with each opening, while the elements go on behind the checkpoint. So `map`, `filter`
/// and others that keep nothing belong here; windows, `dedup`, keyed state and whatever holds elements back belong in the pipeline.
/// Thread-safety: as `from`.
/// Source: `via` of Akka Streams.
template <class T, class Source, class Flow> std::shared_ptr<source<T>> source_via(std::shared_ptr<Source> from, Flow flow) {
  using R = typename Source::element_type;
  static_assert(positioned<T> || !positioned<R>, "weir: elements that are made of records need their position()");
  return std::make_shared<detail::passed_source<T, R, Flow>>(std::move(from), std::move(flow));
}

}  // namespace weir
