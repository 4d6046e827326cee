#pragma once
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>
#include <weir/sink_write.hpp>
#include <weir/state_store.hpp>
#include <weir/store_write.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// What `pipeline.use_sink` takes: somewhere for the rows of a pipeline to go. It gets them checkpoint by checkpoint, and makes of those in
/// front of one a part of its commit: the rows are there when the records they come from are done, no later and no earlier than the
/// guarantee says. A copy is the same sink.
/// - `row_type`: what it takes.
/// - `kind`: what it is, for messages: "sqlite"; of the type, or of each sink.
/// - `promises`: its `guarantee`.
/// - `write(rows)`: the part of the commit; called on the strand, must not wait. What it throws fails the pipeline.
/// - `resume(key, number)`, a task, may be missing: before a partition begins, and each time it begins again, from its checkpoint, which is
///   of the commit of this number (0: there is none), as `outside_write` counts them. Rows written by then with a later one come again.
///   What it throws fails the pipeline. A sink outside of the store that has this is asked to `write` no rows, where the first commit after
///   another worker has taken the partition over has none of its: so a late worker finds its number taken.
/// - `resume(key, number, fences)` in its place: also gets how often the partition has been fenced, as `outside_write::fences` does. Two
///   workers never begin with the same count, and who has the higher one is the later one: what it has written is not to be removed.
template <class S>
concept row_sink = std::copy_constructible<S> && requires(S& s, std::vector<typename S::row_type> rows) {
  { s.kind } -> std::convertible_to<std::string_view>;
  { S::promises } -> std::convertible_to<guarantee>;
  { s.write(std::move(rows)) } -> std::convertible_to<std::shared_ptr<sink_write>>;
};

/// One whose rows are written by the store of the checkpoints: `sqlite::table`, `postgres::table`, `memory_table`.
template <class S>
concept transactional_sink =
    row_sink<S> && (S::promises == guarantee::transactional) && requires(S& s, std::vector<typename S::row_type> rows) {
      { s.write(std::move(rows)) } -> std::convertible_to<std::shared_ptr<store_write>>;
      { s.store() } -> std::convertible_to<state_store const&>;
    };

/// One whose rows are written before the commit: `console`, `file::folder`.
template <class S>
concept outside_sink = row_sink<S> && (S::promises != guarantee::transactional) && requires(S& s, std::vector<typename S::row_type> rows) {
  { s.write(std::move(rows)) } -> std::convertible_to<std::shared_ptr<outside_write>>;
};

}  // namespace weir
