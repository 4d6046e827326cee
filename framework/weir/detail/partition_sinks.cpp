#include <weir/detail/partition_sinks.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace weir::detail {

partition_sinks::partition_sinks(progress& p, std::vector<std::shared_ptr<pipeline_sink>> declared) : declared_(std::move(declared)) {
  for (auto const& s : declared_) open_.push_back(s->open(p));
}

partition_sink& partition_sinks::find(std::string_view name) const {
  std::string known;
  for (auto const& s : open_) {
    if (dynamic_cast<partition_topic const*>(s.get())) continue;
    if (s->name() == name) return *s;
    known.append(known.empty() ? "" : ", ").append(s->name());
  }
  throw error(errc::misuse, "sink: cannot be used",
              known.empty() ? "the pipeline has no sinks" : "the pipeline has none of that name, it has " + known,
              "declare it: pipeline.use_sink(\"" + std::string(name) + "\", ...)")
      .with_detail(std::string(name));
}

partition_topic& partition_sinks::find_topic(std::string_view name) const {
  std::string known;
  for (auto const& s : open_) {
    auto* const t = dynamic_cast<partition_topic*>(s.get());
    if (!t) continue;
    if (t->name() == name) return *t;
    known.append(known.empty() ? "" : ", ").append(t->name());
  }
  throw error(errc::misuse, "topic: cannot send",
              known.empty() ? "the pipeline has no topics" : "the pipeline has none of that name, it has " + known,
              "declare it: pipeline.use_topic(\"" + std::string(name) + "\", ...)")
      .with_detail(std::string(name));
}

void throw_other_rows(std::string_view sink) {
  throw error(errc::misuse, "sink: cannot be used", "its rows are of another type than it was asked for with",
              "ask for the row_type of the sink that was given to use_sink: context.sink<row_type>(\"" + std::string(sink) + "\")")
      .with_detail(std::string(sink));
}

void throw_other_values(std::string_view topic) {
  throw error(errc::misuse, "topic: cannot send", "the value is of another type than the topic was declared with",
              "send what is declared: pipeline.use_topic(\"" + std::string(topic) + "\", topic<value_type>(...))")
      .with_detail(std::string(topic));
}

void partition_sinks::written_by(context const* handler) noexcept {
  for (auto const& s : open_) s->written_by(handler);
}

task<> partition_sinks::resume(checkpoint_key key, std::uint64_t number, std::uint64_t fences) {
  for (auto const& s : open_) s->clear();
  for (auto const& s : declared_) co_await s->resume(key, number, fences);
}

void partition_sinks::settle(position const& done) noexcept {
  for (auto const& s : open_) s->settle(done);
}

void partition_sinks::settle_all() noexcept {
  for (auto const& s : open_) s->settle_all();
}

void partition_sinks::drop_open() noexcept {
  for (auto const& s : open_) s->drop_open();
}

bool partition_sinks::have_open() const noexcept {
  return std::ranges::any_of(open_, [](auto const& s) { return s->has_open(); });
}

bool partition_sinks::have_left() const noexcept {
  return std::ranges::any_of(open_, [](auto const& s) { return s->has_left(); });
}

std::size_t partition_sinks::memory() const noexcept {
  std::size_t all = 0;
  for (auto const& s : open_) all += s->memory();
  return all;
}

void partition_sinks::check(barrier const& b) const {
  for (auto const& s : open_)
    if (s->has_open()) s->check(b);
}

void partition_sinks::take_settled(std::function<void(std::shared_ptr<sink_write>)> const& to) {
  for (auto const& s : open_)
    if (auto w = s->take_settled()) to(std::move(w));
}

void partition_sinks::take_left(std::function<void(std::shared_ptr<sink_write>)> const& to) {
  for (auto const& s : open_)
    for (auto& w : s->take_left()) to(std::move(w));
}

void partition_sinks::take_all(std::function<void(std::shared_ptr<sink_write>)> const& to) {
  for (auto const& s : open_)
    if (auto w = s->take_all()) to(std::move(w));
}

void partition_sinks::take_none(std::function<void(std::shared_ptr<sink_write>)> const& to) {
  for (std::size_t i = 0; i != open_.size(); ++i)
    if (declared_[i]->resumes() && !declared_[i]->store())
      if (auto w = open_[i]->take_none()) to(std::move(w));
}

}  // namespace weir::detail
