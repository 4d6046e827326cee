#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ticks::test {

/// A line of `--events`.
struct sent {
  std::string line;
  std::string identity;  ///< all but the payload
  std::string payload;
  std::string bar;  ///< of the payload: "symbol,window_start,open,high,low,close,volume,trades", as an answer has it
};

inline std::string member(std::string const& json, std::string const& name) {
  auto at = json.find('"' + name + "\":");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + json);
  at += name.size() + 3;
  bool const text = json[at] == '"';
  return text ? json.substr(at + 1, json.find('"', at + 1) - at - 1) : json.substr(at, json.find_first_of(",}", at) - at);
}

/// What a file of messages has in it, by a reader of its own. Symbols without characters that JSON escapes.
inline std::vector<sent> messages_in(std::string const& text) {
  std::vector<sent> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::string const key = R"(,"payload":")", end = R"("})";
    auto const at = line.find(key);
    if (at == std::string::npos || !line.ends_with(end)) throw std::runtime_error("no message: " + line);
    sent s{line, line.substr(0, at), {}, {}};
    for (std::size_t i = at + key.size(); i != line.size() - end.size(); ++i)
      if (line[i] != '\\') s.payload += line[i];
    for (char const* const name : {"symbol", "window_start", "open", "high", "low", "close", "volume", "trades"})
      s.bar += (s.bar.empty() ? "" : ",") + member(s.payload, name);
    all.push_back(s);
  }
  return all;
}

}  // namespace ticks::test
