#include <weir/detail/running_pipeline.hpp>

#include <weir/detail/failure_parts.hpp>
#include <weir/detail/fence.hpp>
#include <weir/error.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/state_store.hpp>

#include <algorithm>
#include <utility>

namespace weir::detail {
namespace {

bool is_fenced(std::exception_ptr const& why) {
  try {
    std::rethrow_exception(why);
  } catch (error const& e) {
    return e.code() == condition::fenced;
  } catch (...) {
    return false;
  }
}

}  // namespace

task<> running_pipeline::run() {
  auto body = [this](async_scope& scope) { return follow(scope); };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
}

task<> running_pipeline::follow(async_scope& scope) {
  context& own = co_await current_context();
  context branch(own);
  assigning_ = &branch;
  scope.spawn(attend());
  if (draining_) branch.cancel();
  std::exception_ptr failure;
  try {
    task<> changes = pull_assignments(scope);
    co_await std::move(changes).under(branch);
  } catch (...) {
    failure = std::current_exception();
  }
  assigning_ = nullptr;
  told_all_ = true;
  if (!failure || draining_ || own.cancelled()) co_return;
  source_failed(std::move(failure));
}

void running_pipeline::source_failed(std::exception_ptr why) {
  if (shown_in_) shown_in_->failed(pipeline_.name(), reason_of(why));
  halted_(pipeline_, nullptr, std::move(why));
  drain();
}

task<> running_pipeline::attend() {
  context& own = co_await current_context();
  std::exception_ptr failure;
  try {
    task<> beside = pipeline_.attend(*this);
    co_await std::move(beside);
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure || own.cancelled()) co_return;
  if (draining_) {
    settings_.log.warning("application: what the source of a pipeline does beside being read has failed while it drained (" +
                          pipeline_.name() + "): " + reason_of(failure) + "; what is read is finished and committed");
    co_return;
  }
  source_failed(std::move(failure));
}

task<> running_pipeline::pull_assignments(async_scope& scope) {
  stream<assignment> changes = pipeline_.assignments(*this);
  while (assignment* change = co_await changes.next()) apply(*change, scope);
  if (shown_in_) shown_in_->connected(pipeline_.name());
}

void running_pipeline::apply(assignment& change, async_scope& scope) {
  reading* const known = find(change.partition);
  if (change.kind == assignment_kind::assigned) {
    if (known || draining_) return;
    reading& one = readings_.emplace_back(change.partition, pipeline_.open(settings_, change.partition));
    if (auto const own = fenced_.extract(change.partition)) one.partition->fenced_at(own.mapped());
    show(*one.partition);
    scope.spawn(read(std::prev(readings_.end())));
  } else if (known && change.kind == assignment_kind::revoked) {
    known->partition->stop();
  } else if (known) {
    lose(*known);
  }
}

void running_pipeline::show(hosted_partition& p) {
  p.report().compares_with(furthest_);
  if (!shown_in_) return;
  p.report().is_watched();
  shown_in_->add(p.report().status());
  shown_in_->connected(pipeline_.name());
}

running_pipeline::reading* running_pipeline::find(std::string const& name) noexcept {
  auto const found = std::ranges::find(readings_, name, &reading::name);
  return found == readings_.end() ? nullptr : &*found;
}

// What runs beside the others catches its own failure: one halted partition leaves them running.
task<> running_pipeline::read(std::list<reading>::iterator r) {
  std::exception_ptr failure;
  {
    context& own = co_await current_context();
    context branch(own);
    r->branch = &branch;
    if (r->lost) branch.cancel();
    try {
      task<> all = r->partition->run();
      co_await std::move(all).under(branch);
    } catch (...) {
      failure = std::current_exception();
    }
    r->branch = nullptr;
  }
  partition_end how = r->partition->finished() ? partition_end::finished : partition_end::released;
  if (failure && !r->lost && shares_ && is_fenced(failure)) {  // who has it now has committed before its source heard of that
    settings_.log.warning("application: another worker has taken a partition (" + pipeline_.name() + ", partition " + r->name +
                          "): " + reason_of(failure) + "; it goes on there, from the last checkpoint");
    failure = nullptr;
  }
  if (failure && !r->lost) {
    how = partition_end::halted;
    r->partition->report().halted(reason_of(failure));
    halted_(pipeline_, r->partition.get(), std::move(failure));
  } else {
    r->partition->report().retire();
    if (shown_in_) shown_in_->remove(*r->partition->report().status());
  }
  pipeline_.ended(r->name, how);
  readings_.erase(r);
}

void running_pipeline::lose(reading& r) noexcept {
  r.lost = true;
  r.partition->lose();
  if (r.branch) r.branch->cancel();
}

void running_pipeline::drain() noexcept {
  if (std::exchange(draining_, true)) return;
  if (assigning_) assigning_->cancel();
  for (reading const& r : readings_) r.partition->stop();
  pipeline_.drains();
}

void running_pipeline::tell() {
  for (reading const& r : readings_) r.partition->tell();
}

task<std::optional<position>> running_pipeline::committed(std::string partition) {
  checkpoint_key key = pipeline_.key(settings_, std::move(partition));
  std::optional<saved_checkpoint> const saved = co_await settings_.checkpoints->load(std::move(key));
  std::optional<position> at;
  if (saved) at = begun(*saved);
  co_return at;
}

std::optional<position> running_pipeline::reached(std::string const& partition) const {
  auto const found = std::ranges::find(readings_, partition, &reading::name);
  std::optional<position> at;
  if (found != readings_.end()) at = found->partition->reached().committed();
  return at;
}

task<fenced_partition> running_pipeline::fence(std::string partition, std::optional<position> elsewhere) {
  bool const is_first = !std::exchange(shares_, true);
  if (is_first && dynamic_cast<memory_state_store const*>(settings_.checkpoints.get())) {
    settings_.log.warning("application: checkpoints are in the memory of this process, and others may take over what it reads (" +
                          pipeline_.name() + "): they go on from where the source says, without what operators and sinks have kept; " +
                          "give all of them one store: a file of SQLite on one machine, else PostgreSQL, Redis or DynamoDB");
  }
  task<fenced_partition> fencing = detail::fence(*settings_.checkpoints, pipeline_.key(settings_, partition), elsewhere, pipeline_.order());
  fenced_partition const found = co_await std::move(fencing);
  fenced_.insert_or_assign(std::move(partition), found.version);
  co_return found;
}

}  // namespace weir::detail
