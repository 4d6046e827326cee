#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Values of options as texts.
namespace weir::detail {

// These throw std::invalid_argument with what would be right.
void read_option(std::string const& text, std::string& to);
void read_option(std::string const& text, std::uint64_t& to);
void read_option(std::string const& text, std::uint16_t& to);
void read_option(std::string const& text, double& to);
void read_option(std::string const& text, bool& to);
void read_option(std::string const& text, std::chrono::nanoseconds& to);

std::string option_text(std::string const& value);
std::string option_text(std::uint64_t value);
std::string option_text(std::uint16_t value);
std::string option_text(double value);
std::string option_text(bool value);
std::string option_text(std::chrono::nanoseconds value);

// The one that is most like `name`, by the changes that make one of the other; empty when none is near.
std::string nearest(std::string_view name, std::vector<std::string> const& among);

}  // namespace weir::detail
