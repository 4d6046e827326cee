#include "difference.hpp"

#include <weir/rfc3339.hpp>

#include <tuple>
#include <utility>

namespace state_tool {
namespace {

auto place_of(weir::state_entry const& e) { return std::tie(e.operator_id, e.key); }

}  // namespace

difference compare(weir::saved_checkpoint const& a, weir::saved_checkpoint const& b) {
  difference out;
  auto const field = [&out](char const* name, std::string of_a, std::string of_b) {
    if (of_a != of_b) out.fields.push_back({name, std::move(of_a), std::move(of_b)});
  };
  field("position", a.head.position.text(), b.head.position.text());
  field("version", std::to_string(a.head.version), std::to_string(b.head.version));
  field("written_at", weir::format_rfc3339(a.head.written_at), weir::format_rfc3339(b.head.written_at));
  field("writer", a.head.writer, b.head.writer);
  auto at_a = a.entries.begin(), at_b = b.entries.begin();
  while (at_a != a.entries.end() || at_b != b.entries.end()) {
    bool const a_first = at_b == b.entries.end() || (at_a != a.entries.end() && place_of(*at_a) < place_of(*at_b));
    bool const b_first = !a_first && (at_a == a.entries.end() || place_of(*at_b) < place_of(*at_a));
    if (a_first) {
      out.entries.push_back({&*at_a++, nullptr});
    } else if (b_first) {
      out.entries.push_back({nullptr, &*at_b++});
    } else {
      if (at_a->value != at_b->value) out.entries.push_back({&*at_a, &*at_b});
      ++at_a;
      ++at_b;
    }
  }
  return out;
}

}  // namespace state_tool
