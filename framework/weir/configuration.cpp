#include <weir/configuration.hpp>

#include <weir/detail/option_text.hpp>
#include <weir/error.hpp>

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace weir {
namespace {

using boost::property_tree::ptree;

[[noreturn]] void refuse_setting(std::string what, std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, "settings: " + std::move(what), std::move(why), std::move(advice));
}

std::string upper(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    else if (c == '.') c = '_';
  }
  return name;
}

// f(name, value) for each that is no group.
template <class F> void each_value(ptree const& of, std::string const& prefix, std::string const& origin, F f) {
  std::set<std::string> seen;
  for (auto const& [key, inside] : of) {
    std::string const name = prefix + key;
    if (key.empty()) refuse_setting("cannot be read (" + origin + ")", prefix + " is a list", "give it one value");
    if (!seen.insert(key).second) refuse_setting("cannot be read (" + origin + ")", name + " is there twice", "leave one");
    if (inside.empty()) f(name, inside.data());
    else each_value(inside, name + ".", origin, f);
  }
}

std::string file_text(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) refuse_setting("cannot be read (file " + path + ")", "it cannot be opened", "see whether it is there, and may be read");
  return text;
}

}  // namespace

template <class T> configuration& configuration::add_entry(std::string name, T& value, std::string meaning) {
  for (entry const& e : entries_)
    if (e.name == name) refuse_setting("cannot be declared", "two are called " + name, "give one another name");
  entry& e = entries_.emplace_back();
  e.name = std::move(name);
  e.meaning = std::move(meaning);
  e.show = [&value] { return detail::option_text(value); };
  e.read = [&value](std::string const& text) { detail::read_option(text, value); };
  return *this;
}

configuration& configuration::add(std::string name, std::string& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add(std::string name, std::uint64_t& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add(std::string name, std::uint16_t& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add(std::string name, double& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add(std::string name, bool& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add(std::string name, std::chrono::nanoseconds& value, std::string meaning) {
  return add_entry(std::move(name), value, std::move(meaning));
}
configuration& configuration::add_secret(std::string name, std::string& value, std::string meaning) {
  add_entry(std::move(name), value, std::move(meaning));
  entries_.back().secret = true;
  entries_.back().show = [&value] { return std::string(value.empty() ? "" : "***"); };
  return *this;
}

configuration& configuration::add(settings& s) {
  add("name", s.name, "the application's name in checkpoints, logs and metrics");
  add("commit.records", s.commit.records, "a checkpoint after so many records");
  add("commit.every", s.commit.every, "a checkpoint after so long");
  add("drain_timeout", s.drain_timeout, "how long a drain may take before what still runs is cancelled");
  add("cancel_timeout", s.cancel_timeout, "how long what was cancelled may take to end");
  entry& e = entries_.emplace_back();
  e.name = "stall_after";
  e.meaning = "how long a handler or a commit may take before the partition counts as stalled; 0s: for ever";
  e.show = [&s] { return s.stall_after ? detail::option_text(*s.stall_after) : std::string("1min"); };
  e.read = [&s](std::string const& text) { detail::read_option(text, s.stall_after.emplace()); };
  return *this;
}

configuration::entry& configuration::find(std::string_view name, std::string const& origin) {
  auto const found = std::ranges::find(entries_, name, &entry::name);
  if (found != entries_.end()) return *found;
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (entry const& e : entries_) names.push_back(e.name);
  std::string const like = detail::nearest(name, names);
  refuse_setting("cannot be used (" + origin + ")", "there is no " + std::string(name),
                 like.empty() ? "--help lists what there is" : "did you mean " + like + "?");
}

void configuration::assign(entry& e, std::string const& value, std::string const& origin) {
  try {
    e.read(value);
  } catch (std::invalid_argument const& right) {
    refuse_setting(e.name + " cannot be used (" + origin + ")",
                   (e.secret ? std::string("it") : "\"" + value + "\"") + " is not " + right.what());
  }
  e.origin = origin;
}

std::string configuration::flag_of(entry const& e) const {
  std::string out = "--" + e.name;
  std::ranges::replace(out, '.', '-');
  std::ranges::replace(out, '_', '-');
  return out;
}
std::string configuration::variable_of(entry const& e) const { return prefix_ + upper(e.name); }

void configuration::read_json(std::string_view text, std::string const& origin) {
  ptree all;
  try {
    std::istringstream in{std::string(text)};
    boost::property_tree::read_json(in, all);
  } catch (boost::property_tree::json_parser_error const& e) {
    refuse_setting("cannot be read (" + origin + ", line " + std::to_string(e.line()) + ")", "it is no JSON: " + e.message());
  }
  if (!all.data().empty()) refuse_setting("cannot be read (" + origin + ")", "it is no JSON object");
  each_value(all, "", origin, [&](std::string const& name, std::string const& value) { assign(find(name, origin), value, origin); });
}

void configuration::read_environment(char const* const* variables) {
  for (; variables && *variables; ++variables) {
    std::string_view const one = *variables;
    std::string_view const name = one.substr(0, one.find('='));
    if (!name.starts_with(prefix_) || name == prefix_ + "SETTINGS") continue;
    std::string const origin = "variable " + std::string(name);
    auto const found = std::ranges::find(entries_, name, [this](entry const& e) { return variable_of(e); });
    if (found != entries_.end()) {
      assign(*found, std::string(one.substr(name.size() + 1)), origin);
      continue;
    }
    std::vector<std::string> names;
    names.reserve(entries_.size());
    for (entry const& e : entries_) names.push_back(variable_of(e));
    std::string const like = detail::nearest(name, names);
    refuse_setting("cannot be used (" + origin + ")", "there is no such variable",
                   like.empty() ? "--help lists what there is" : "did you mean " + like + "?");
  }
}

void configuration::read_flags(std::span<std::string const> arguments) {
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    std::string const& one = arguments[i];
    std::string const name = one.substr(0, one.find('='));
    std::string const origin = "flag " + name;
    auto const found = std::ranges::find(entries_, name, [this](entry const& e) { return flag_of(e); });
    if (found == entries_.end()) {
      std::vector<std::string> names{"--settings", "--print-settings", "--help"};
      for (entry const& e : entries_) names.push_back(flag_of(e));
      std::string const like = detail::nearest(name, names);
      refuse_setting("cannot be used (" + origin + ")", "there is no such flag",
                     like.empty() ? "--help lists what there is" : "did you mean " + like + "?");
    }
    bool const next = name.size() == one.size();
    if (next && i + 1 == arguments.size()) refuse_setting(found->name + " cannot be used (" + origin + ")", "it has no value");
    assign(*found, next ? arguments[++i] : one.substr(name.size() + 1), origin);
  }
}

configuration::outcome configuration::load(int argc, char const* const* argv, char const* const* variables,
                                           std::function<void(std::string_view)> print) {
  if (!print) print = [](std::string_view all) { std::fwrite(all.data(), 1, all.size(), stdout); };
  std::string file;
  for (char const* const* v = variables; v && *v; ++v)
    if (std::string_view const one = *v; one.starts_with(prefix_ + "SETTINGS=")) file = one.substr(prefix_.size() + 9);
  std::vector<std::string> flags;
  bool help_wanted = false, print_wanted = false;
  for (int i = 1; i < argc; ++i) {
    std::string const one = argv[i];
    if (one == "--help") help_wanted = true;
    else if (one == "--print-settings") print_wanted = true;
    else if (one.starts_with("--settings=")) file = one.substr(11);
    else if (one == "--settings" && i + 1 < argc) file = argv[++i];
    else flags.push_back(one);
  }
  if (help_wanted) {
    print(help());
    return outcome::done;
  }
  if (!file.empty()) read_json(file_text(file), "file " + file);
  read_environment(variables);
  read_flags(flags);
  if (!print_wanted) return outcome::run;
  print(text());
  return outcome::done;
}

std::string configuration::text() const {
  std::size_t longest = 0, widest = 0;
  for (entry const& e : entries_) {
    longest = std::max(longest, e.name.size());
    widest = std::max(widest, e.show().size());
  }
  std::string out;
  for (entry const& e : entries_) {
    std::string const value = e.show();
    out += e.name + std::string(longest - e.name.size() + 2, ' ') + value + std::string(widest - value.size() + 2, ' ') + e.origin + "\n";
  }
  return out;
}

std::string configuration::help() const {
  std::string out = "--settings FILE   a file of JSON with any of these, which " + prefix_ + "... in the environment and flags go before\n";
  out += "--print-settings  shows each with its value and where that comes from\n";
  for (entry const& e : entries_) out += flag_of(e) + "  " + e.meaning + (e.show().empty() ? "" : " (" + e.show() + ")") + "\n";
  return out;
}

}  // namespace weir
