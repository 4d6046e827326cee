#pragma once
#include <weir/operator_state.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// One checkpoint on its way through a pipeline. Each operator with state adds its part as the barrier passes; when the consumer at the
/// end has pulled past it, everything before it is done and `complete` is called, once, on the strand. The source that sent it owns it
/// and keeps it until it or a later one is complete.
class barrier {
public:
  /// Of a source.
  explicit barrier(bool closing = false) noexcept : closing_(closing) {}
  /// Of a branch, or of branches that have met: it is done before `of` is.
  barrier(barrier& of, std::string line, std::uint64_t family) noexcept
      : line_(std::move(line)), family_(family), root_(of.root_), closing_(of.closing_) {}
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;
  state_changes& state() noexcept { return state_; }
  state_changes const& state() const noexcept { return state_; }
  /// Its number, of all that the source has sent, and what of them is committed; null: nobody can say.
  std::uint64_t number() const noexcept { return root_->number_; }
  committed_entries const* committed() const noexcept { return root_->committed_; }
  /// To whose checkpoint operators add what they have: empty for the source's own, else the branch's. The same at one place, always.
  std::string const& line() const noexcept { return line_; }
  /// The number that all branches of the source's stream share (`detail::lineage`); 0: none knows of others.
  std::uint64_t family() const noexcept { return family_; }
  /// That of the source.
  barrier& root() noexcept { return *root_; }
  /// Keeps a barrier that was made of this one.
  void keep(std::shared_ptr<void> part) { parts_.push_back(std::move(part)); }
  /// A merge keeps what comes behind it, until other branches have come as far; or does not any longer.
  virtual void hold(bool) {}
  /// The consumer at the end has asked for what comes behind it. Where that is shown together with it, `complete` comes only when that is
  /// done too.
  void arrive() noexcept {
    if (!std::exchange(arrived_, true)) on_arrive();
  }
  bool arrived() const noexcept { return arrived_; }
  /// Whoever keeps elements back until there are more of them (a batch) lets them go before it: nothing else is going to come.
  bool closing() const noexcept { return closing_; }
  /// Elements from behind it have left in front of it, since an operator kept it back until they were together (`window(n)`): what comes of
  /// them comes again when the stream resumes from it.
  void overtake() noexcept { overtaken_ = true; }
  bool overtaken() const noexcept { return overtaken_; }
  bool completed() const noexcept { return completed_; }
  void complete() noexcept {
    arrive();
    if (!std::exchange(completed_, true)) on_complete();
  }
  /// The stream parts here: each branch has a barrier of its own from here on, and they do not arrive together.
  void divide() noexcept { divided_ = true; }
  bool divided() const noexcept { return divided_; }

protected:
  ~barrier() = default;
  /// Of a source that commits.
  void count(std::uint64_t number, committed_entries const& committed) noexcept {
    number_ = number;
    committed_ = &committed;
  }

private:
  virtual void on_arrive() noexcept {}
  virtual void on_complete() noexcept {}
  std::string line_;
  std::uint64_t family_ = 0, number_ = 0;
  committed_entries const* committed_ = nullptr;
  barrier* root_ = this;
  state_changes state_;
  std::vector<std::shared_ptr<void>> parts_;
  bool closing_ = false, arrived_ = false, completed_ = false, divided_ = false, overtaken_ = false;
};

}  // namespace weir
