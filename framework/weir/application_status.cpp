#include <weir/application_status.hpp>

#include <algorithm>

namespace weir {

std::vector<std::string> application_figures::complaints() const {
  std::vector<std::string> out;
  for (pipeline_figures const& p : pipelines)
    if (!p.failure.empty()) out.push_back("pipeline " + p.name + ": its source says no more what to read: " + p.failure);
  for (partition_figures const& p : partitions) {
    bool const stalled = stall_after.count() > 0 && p.stalled(stall_after);
    if (p.phase == partition_phase::halted || stalled) out.push_back((stalled ? "stalled: " : "") + p.text());
  }
  return out;
}

std::vector<std::string> application_figures::missing() const {
  std::vector<std::string> out;
  for (pipeline_figures const& p : pipelines)
    if (!p.connected) out.push_back("pipeline " + p.name + ": its source (" + p.source + ") has not said yet what to read");
  for (partition_figures const& p : partitions)
    if (p.phase == partition_phase::starting) out.push_back(p.text());
  return out;
}

std::string application_figures::text() const {
  std::string out;
  for (pipeline_figures const& p : pipelines) {
    out += p.guarantee + "\n";
    for (partition_figures const& at : partitions)
      if (at.pipeline == p.name) ((out += at.text()) += "\n") += at.time.text();
  }
  for (std::string const& c : complaints()) out += c + "\n";
  for (std::string const& m : missing()) out += "not ready: " + m + "\n";
  if (draining) out += "draining: nothing more is read\n";
  return out;
}

application_figures application_status::look(std::chrono::nanoseconds now) const {
  application_figures out;
  std::vector<std::shared_ptr<partition_status const>> partitions;
  {
    std::lock_guard const held(lock_);
    out.stall_after = stall_after_;
    out.draining = draining_;
    out.pipelines = pipelines_;
    partitions = partitions_;
  }
  out.name = name_;
  out.partitions.reserve(partitions.size());
  for (auto const& p : partitions) out.partitions.push_back(p->look(now));
  return out;
}

void application_status::begin(std::vector<pipeline_figures> pipelines, std::chrono::nanoseconds stall_after) {
  std::lock_guard const held(lock_);
  stall_after_ = stall_after;
  draining_ = false;
  pipelines_ = std::move(pipelines);
  partitions_.clear();
}

void application_status::draining() {
  std::lock_guard const held(lock_);
  draining_ = true;
}

pipeline_figures* application_status::find(std::string_view pipeline) noexcept {
  auto const found = std::ranges::find(pipelines_, pipeline, &pipeline_figures::name);
  return found == pipelines_.end() ? nullptr : &*found;
}

void application_status::connected(std::string_view pipeline) {
  std::lock_guard const held(lock_);
  if (pipeline_figures* const p = find(pipeline)) p->connected = true;
}

void application_status::failed(std::string_view pipeline, std::string why) {
  std::lock_guard const held(lock_);
  if (pipeline_figures* const p = find(pipeline)) p->failure = std::move(why);
}

void application_status::add(std::shared_ptr<partition_status const> p) {
  std::lock_guard const held(lock_);
  partitions_.push_back(std::move(p));
}

void application_status::remove(partition_status const& p) {
  std::lock_guard const held(lock_);
  std::erase_if(partitions_, [&p](auto const& one) { return one.get() == &p; });
}

}  // namespace weir
