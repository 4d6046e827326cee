#pragma once
#include "support/shared_data.hpp"
#include "transports/amqp/hex.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// What Microsoft's SDK and a broker said to each other over a WebSocket, message by message; true: the SDK. Empty where it is absent.
inline std::vector<std::pair<bool, std::string>> wire_capture() {
  std::vector<std::pair<bool, std::string>> out;
  auto const data = shared_data();
  if (!data) return out;
  std::ifstream in(*data / "captures" / "eventhubs" / "ws-messages-hex.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string time, socket, from, size, hex;
    if (!(words >> time >> socket >> from >> size >> hex) || (from != "C>S" && from != "S>C") ||
        hex.find_first_not_of("0123456789abcdef") != hex.npos || hex.size() % 2 != 0 || std::to_string(hex.size() / 2) + "B" != size)
      continue;
    out.emplace_back(from == "C>S", bytes_of(hex));
  }
  return out;
}

}  // namespace weir::test
