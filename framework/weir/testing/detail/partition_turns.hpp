#pragma once
#include <weir/assignment.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/position.hpp>
#include <weir/predecessor.hpp>
#include <weir/stream.hpp>
#include <weir/testing/scripted_partition.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::testing::detail {

// Whose turn it is to be read, where partitions of a script go on in others. Strand only.
class partition_turns {
public:
  // Throws errc::invalid_option when one follows another that is not among them.
  explicit partition_turns(std::vector<scripted_partition> all);
  // Whether any follows another.
  bool matter() const noexcept { return matter_; }
  // As the functions of a source.
  stream<assignment> assignments(assignment_view& pipeline);
  void ended(std::string const& partition, partition_end how) noexcept;
  std::optional<position> end_of(std::string const& partition) const;
  std::vector<predecessor> predecessors(std::string const& partition) const;
  std::vector<std::string> heirs(std::string const& partition) const;
  bool owns(std::string const& partition, std::string_view partition_key) const;

private:
  enum class state : std::uint8_t { waiting, reading, done, given_up };
  scripted_partition const* find(std::string_view id) const noexcept;
  bool readable(scripted_partition const& p) const;
  static stream<assignment> run(partition_turns& me, assignment_view& pipeline);

  std::vector<scripted_partition> all_;
  std::map<std::string, state, std::less<>> is_;
  bool matter_ = false;
  weir::detail::wait_list changed_;
};

}  // namespace weir::testing::detail
