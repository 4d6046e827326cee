#pragma once
#include <weir/explanation.hpp>
#include <weir/instant.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

// The open windows of an operator that has them per key, for an explanation that stays short whatever their number: the `most` that end
// first each for itself, then all others in one entry whose name says how many they are.
class window_listing {
public:
  static constexpr std::size_t most = 16;
  // `kind`: what they are, in the plural.
  window_listing(std::string name, std::string_view kind, instant watermark);

  // `key`: a number for its key; `seq`: the first seen has the lowest.
  void add(open_window w, std::uint64_t seq, std::uint32_t key);
  void list(explanation& e) &&;

private:
  struct entry {
    entry(open_window w, std::uint64_t s, std::uint32_t k);
    open_window window;
    std::uint64_t seq;
    std::uint32_t key;
  };
  static bool sooner(entry const& a, entry const& b) noexcept;
  void add_to_rest(entry const& one);

  std::string name_;
  std::string_view kind_;
  std::vector<entry> first_;  // a heap, the last to end in front
  open_window rest_;
  std::vector<std::uint32_t> keys_of_rest_;
};

}  // namespace weir::detail
