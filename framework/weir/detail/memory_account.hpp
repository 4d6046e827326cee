#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace weir::detail {

// What the operators of one partition hold in memory, as they say themselves: once per chunk, where it is counted at all. Strand only.
class memory_account {
public:
  enum class holding : std::uint8_t {
    state,    // goes when time passes, or by what the operator is told to do
    passing,  // is on its way: goes with the next checkpoint, or when the consumer has taken it, without more input
  };

  // One operator's part.
  class entry {
  public:
    entry() = default;
    entry(entry const&) = delete;
    entry& operator=(entry const&) = delete;
    ~entry() { leave(); }
    // `in`: null: nobody counts. It may end before the entry does.
    void enter(memory_account* in, std::string_view name, holding what);
    bool entered() const noexcept { return account_ != nullptr; }
    void set(std::size_t bytes) noexcept {
      if (!account_) return;
      account_->held_[static_cast<std::size_t>(what_)] += bytes - bytes_;
      bytes_ = bytes;
    }

  private:
    friend class memory_account;
    void leave() noexcept;
    memory_account* account_ = nullptr;
    entry *previous_ = nullptr, *next_ = nullptr;
    std::string name_;
    std::size_t bytes_ = 0;
    holding what_ = holding::state;
  };

  memory_account() = default;
  memory_account(memory_account const&) = delete;
  memory_account& operator=(memory_account const&) = delete;
  ~memory_account();

  std::size_t held(holding what) const noexcept { return held_[static_cast<std::size_t>(what)]; }
  std::size_t held() const noexcept { return held_[0] + held_[1]; }
  // f(name, bytes) for each operator, in no particular order; several may have one name.
  template <class F> void each(F f) const {
    for (entry const* e = first_; e; e = e->next_) f(std::string_view(e->name_), e->bytes_);
  }

  // How much it may be, beside what others hold. Whoever runs ahead does not go on while it is more and he has something to hand on.
  void limit(std::size_t most) noexcept { most_ = most; }
  bool full() const noexcept { return held() > most_; }

private:
  entry* first_ = nullptr;
  std::size_t held_[2] = {0, 0};
  std::size_t most_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace weir::detail
