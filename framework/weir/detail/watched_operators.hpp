#pragma once
#include <weir/explanation.hpp>
#include <weir/ledger.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// What operators tell who looks at them between two chunks: of time and windows, and their books.
class operator_sight {
public:
  explanation time;
  std::vector<std::pair<std::string, tally>> books;
  std::vector<std::pair<std::string, std::size_t>> open;  // windows that have not fired
};

// Counts the windows that were added to what is seen of time, behind the first `before`.
void note_open_windows(operator_sight& in, std::size_t before, std::string_view name);

// The operators of one partition that can be looked at. Nothing happens on the way of elements. Strand only.
class watched_operators {
public:
  // A chain's part.
  class entry {
  public:
    using function = void (*)(void const* self, operator_sight& to);
    entry() = default;
    entry(entry const&) = delete;
    entry& operator=(entry const&) = delete;
    ~entry() { leave(); }
    // `in`: null: nobody looks. It may end before the entry does. `self` outlives the entry.
    void enter(watched_operators* in, void const* self, function look);
    bool entered() const noexcept { return list_ != nullptr; }
    // Its operators go on from a checkpoint: what they have counted until then has been told.
    void went_on();

  private:
    friend class watched_operators;
    void leave() noexcept;
    void add_news(std::map<std::string, tally, std::less<>>& to, operator_sight const& from);
    watched_operators* list_ = nullptr;
    entry *previous_ = nullptr, *next_ = nullptr;
    void const* self_ = nullptr;
    function look_ = nullptr;
    std::vector<tally> told_;  // of its operators, in their order
  };

  watched_operators() = default;
  watched_operators(watched_operators const&) = delete;
  watched_operators& operator=(watched_operators const&) = delete;
  ~watched_operators();

  // All that run. What they have counted since the last look goes to the news instead of the books.
  operator_sight look();
  // What became of elements since it was taken last, by operator, those that have ended included.
  std::map<std::string, tally, std::less<>> take_news() { return std::exchange(news_, {}); }

private:
  entry* first_ = nullptr;
  std::map<std::string, tally, std::less<>> news_;
};

}  // namespace weir::detail
