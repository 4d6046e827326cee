#pragma once
#include <weir/assignment.hpp>
#include <weir/async_scope.hpp>
#include <weir/detail/hosted_pipeline.hpp>
#include <weir/settings.hpp>

#include <exception>
#include <functional>
#include <list>
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

  running_pipeline(hosted_pipeline const& pipeline, settings const& s, on_halt halted)
      : pipeline_(pipeline), settings_(s), halted_(std::move(halted)) {}

  // Until its source assigns nothing more, and no partition is left. What fails is heard by `halted`.
  task<> run();
  // Nothing more is assigned, and what runs stops reading.
  void drain() noexcept;

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
  task<> attend();
  void apply(assignment& change, async_scope& scope);
  reading* find(std::string const& name) noexcept;
  task<> read(std::list<reading>::iterator r);
  static void lose(reading& r) noexcept;
  task<std::optional<position>> committed(std::string partition) override;
  std::optional<position> reached(std::string const& partition) const override;
  task<fenced_partition> fence(std::string partition, std::optional<position> elsewhere) override;
  bool draining() const noexcept override { return draining_; }
  bool over() const noexcept override { return draining_ && readings_.empty(); }

  hosted_pipeline const& pipeline_;
  settings const& settings_;
  on_halt halted_;
  std::list<reading> readings_;
  context* assigning_ = nullptr;
  bool draining_ = false;
};

}  // namespace weir::detail
