#pragma once
#include <weir/application_status.hpp>
#include <weir/assignment.hpp>
#include <weir/async_scope.hpp>
#include <weir/detail/hosted_pipeline.hpp>
#include <weir/settings.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace weir::detail {

// One pipeline while the application runs: it reads what its source assigns, each partition in a task of its own.
class running_pipeline final : private assignment_view {
public:
  // Hears of a failure; null: it was the source that failed, and not one partition.
  using on_halt = std::function<void(hosted_pipeline const&, hosted_partition const*, std::exception_ptr)>;

  // `shown_in`: null: nobody looks.
  running_pipeline(hosted_pipeline const& pipeline, settings const& s, application_status* shown_in, on_halt halted)
      : pipeline_(pipeline), settings_(s), shown_in_(shown_in), halted_(std::move(halted)) {}

  // Until its source assigns nothing more, and no partition is left. What fails is heard by `halted`.
  task<> run();
  // Nothing more is assigned, and what runs stops reading.
  void drain() noexcept;
  // All partitions tell how they are.
  void tell();
  // Of each partition that has not ended.
  template <class F> void each(F f) const {
    for (reading const& r : readings_) f(*r.partition);
  }

private:
  struct reading {
    explicit reading(std::string id, std::unique_ptr<hosted_partition> p) noexcept : name(std::move(id)), partition(std::move(p)) {}
    std::string name;
    std::unique_ptr<hosted_partition> partition;
    context* branch = nullptr;
    bool lost = false;
  };

  task<> follow(async_scope& scope);
  task<> pull_assignments(async_scope& scope);
  void show(hosted_partition& p);
  void source_failed(std::exception_ptr why);
  task<> attend();
  void apply(assignment& change, async_scope& scope);
  reading* find(std::string const& name) noexcept;
  task<> read(std::list<reading>::iterator r);
  static void lose(reading& r) noexcept;
  task<std::optional<position>> committed(std::string partition) override;
  std::optional<position> reached(std::string const& partition) const override;
  task<fenced_partition> fence(std::string partition, std::optional<position> elsewhere) override;
  bool draining() const noexcept override { return draining_; }
  bool over() const noexcept override { return (draining_ || told_all_) && readings_.empty(); }

  hosted_pipeline const& pipeline_;
  settings const& settings_;
  application_status* shown_in_;
  on_halt halted_;
  std::shared_ptr<furthest_watermark> furthest_ = std::make_shared<furthest_watermark>();
  std::list<reading> readings_;
  std::map<std::string, std::uint64_t> fenced_;  // by partition, which is not read yet: the version of its last fence
  context* assigning_ = nullptr;
  bool draining_ = false;
  bool told_all_ = false;  // the source assigns nothing more
  bool shares_ = false;    // other workers may take its partitions
};

}  // namespace weir::detail
