#include <weir/lambda/redelivered_event.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/error.hpp>
#include <weir/lambda/detail/json_members.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/lambda/event.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::lambda {
namespace {

namespace dom = simdjson::dom;

// Which records of an event an answer reports.
class reported_records {
public:
  reported_records(event const& e, std::string_view answer) : event_(e), open_(e.size(), false) {
    if (answer.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    dom::parser parser;
    dom::element whole;
    if (parser.parse(answer.data(), answer.size()).get(whole)) {
      open_all();
      return;
    }
    dom::object members;
    if (whole.get_object().get(members)) return;
    for (auto const& [name, value] : members) {
      if (name == "state" && value.is_object()) state_ = simdjson::minify(value);
      dom::array items;
      if (name != "batchItemFailures" || value.get_array().get(items)) continue;
      for (dom::element const item : items) {
        whole_ = !note(item);
        if (whole_) break;
      }
    }
    if (!whole_) return;
    open_all();
    state_.clear();  // that of an answer which has failed
  }

  bool any() const noexcept { return std::ranges::find(open_, true) != open_.end(); }
  bool is_open(std::size_t record) const noexcept { return record < open_.size() && open_[record]; }
  // Of the window; empty: none.
  std::string const& state() const noexcept { return state_; }

private:
  void open_all() { open_.assign(open_.size(), true); }
  void open(std::size_t from, std::size_t end) { std::fill(open_.begin() + at(from), open_.begin() + at(end), true); }
  static std::ptrdiff_t at(std::size_t n) noexcept { return static_cast<std::ptrdiff_t>(n); }

  std::string identifier(std::size_t record) const {
    try {
      return event_.identifier(record);
    } catch (error const&) {
      return {};  // it has none
    }
  }
  // The first record of this identifier; of Kafka in this partition.
  std::optional<std::size_t> find(std::string const& id, std::size_t from, std::size_t end) {
    if (places_.empty())
      for (std::size_t i = 0; i != event_.size(); ++i) places_.emplace(identifier(i), i);
    std::optional<std::size_t> out;
    auto const [first, last] = places_.equal_range(id);
    for (auto each = first; each != last && !id.empty(); ++each)
      if (each->second >= from && each->second < end && (!out || each->second < *out)) out = each->second;
    return out;
  }

  // False: it names no record.
  bool note(dom::element item) {
    dom::element id;
    if (item["itemIdentifier"].get(id)) return false;
    if (event_.source() == event_source::kafka) return note_offset(id);
    std::string_view text;
    if (id.get_string().get(text)) return false;
    auto const found = find(std::string(text), 0, event_.size());
    if (!found) return false;
    open(*found, event_.source() == event_source::sqs ? *found + 1 : event_.size());
    return true;
  }
  bool note_offset(dom::element id) {
    std::string_view name;
    std::uint64_t offset = 0;
    if (id["partition"].get_string().get(name) || id["offset"].get_uint64().get(offset)) return false;
    for (topic_partition const& p : event_.partitions()) {
      if (p.name != name) continue;
      auto const found = find(std::to_string(offset), p.first, p.first + p.size);
      if (found) open(*found, p.first + p.size);
      return found.has_value();
    }
    return false;
  }

  event const& event_;
  std::vector<bool> open_;
  std::unordered_multimap<std::string, std::size_t> places_;  // of records, by their identifiers; made when one is looked for
  bool whole_ = false;                                        // the answer is a failure
  std::string state_;
};

// Writes what stays of an event.
class event_writer {
public:
  event_writer(reported_records const& r, bool in_a_window) : reported_(r), states_(in_a_window && !r.state().empty()) {}

  std::string write(std::string_view event) {
    std::string out = "{";
    detail::each_member(event, [&](std::string_view name, std::string_view value) {
      bool const listed = name == "Records" || name == "records";
      add_name(out, name);
      if (listed && value.starts_with('{')) out += partitions(value);
      else if (listed && !value.empty()) out += elements(value);
      else if (name == "state" && states_) add_state(out);
      else out += value.empty() ? std::string_view("null") : value;
    });
    if (states_) {  // it had none so far
      add_name(out, "state");
      add_state(out);
    }
    return out + '}';
  }

private:
  void add_state(std::string& to) {
    to += reported_.state();
    states_ = false;
  }
  static void add_name(std::string& to, std::string_view name) {
    if (to.back() != '{') to += ',';
    aws::append_json_string(to, name);
    to += ':';
  }
  std::string elements(std::string_view array) {
    std::string out = "[";
    detail::each_element(array, [&](std::string_view value) {
      if (!reported_.is_open(record_++)) return;
      if (out.back() != '[') out += ',';
      out += value;
    });
    return out + ']';
  }
  std::string partitions(std::string_view object) {
    std::string out = "{";
    detail::each_member(object, [&](std::string_view name, std::string_view records) {
      std::string const left = elements(records);
      if (left == "[]") return;
      add_name(out, name);
      out += left;
    });
    return out + '}';
  }

  reported_records const& reported_;
  bool states_;  // the state of the answer is to go along
  std::size_t record_ = 0;
};

std::optional<event> event_in(std::string_view text) {
  std::optional<event> out;
  try {
    out.emplace(text);
  } catch (error const&) {
    out.reset();
  }
  return out;
}

}  // namespace

std::optional<std::string> redelivered_event(std::string_view text, std::string_view answer) {
  auto const what = event_in(text);
  if (!what) return std::nullopt;
  reported_records const reported(*what, answer);
  if (!reported.any()) return std::nullopt;
  std::string const padded = std::string(text) + std::string(detail::value_block::padding, ' ');
  return event_writer(reported, what->window() != nullptr).write(std::string_view(padded).substr(0, text.size()));
}

}  // namespace weir::lambda
