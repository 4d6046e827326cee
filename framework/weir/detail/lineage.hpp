#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// Of which splits a stream is a branch. Branches of one family come of one source: a barrier that reaches one of them reaches them all.
class lineage {
public:
  // One that no other split of the process has; never 0.
  static std::uint64_t new_family() noexcept;

  // `line`: `barrier::line` of the family's barriers there.
  void add(std::uint64_t family, std::string line);
  void add(lineage const& other);
  bool has(std::uint64_t family) const noexcept;
  // Of branches that have met: that of all of them together.
  std::string line(std::uint64_t family) const;
  // Of a branch which begins here; `own`: the family of barriers that have none so far.
  lineage branch(std::string_view name, std::uint64_t own) const;

private:
  struct place {
    place(std::uint64_t f, std::string l) noexcept : family(f), line(std::move(l)) {}
    std::uint64_t family;
    std::string line;
  };
  std::vector<place> places_;
};

template <class A>
concept has_lineage = requires(A const& a, lineage& l) {
  { a.add_lineage(l) } -> std::same_as<void>;
};

// What a generator is made from may be streams.
template <class A> void add_lineage(A const& a, lineage& l) {
  if constexpr (has_lineage<A>) a.add_lineage(l);
}
template <has_lineage A> void add_lineage(std::vector<A> const& streams, lineage& l) {
  for (A const& a : streams) a.add_lineage(l);
}

}  // namespace weir::detail
