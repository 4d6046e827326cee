#pragma once

#include "letter_options.hpp"
#include "opened_letters.hpp"

namespace letter_tool {

/// Each does what the command of its name says, and returns the exit code. Errors: `weir::error`.
int list(opened_letters const& letters, options const& o);
int show(opened_letters const& letters, options const& o);
int replay(opened_letters const& letters, options const& o);

/// Opens what the command line names, and runs its command.
int run_dead_letters(options const& o);

/// The letter of an id. Throws `errc::not_found`.
kept_letter const& letter_of(opened_letters const& letters, std::uint64_t id);
/// Prints a letter as one line of JSON.
void print_json(kept_letter const& k);

}  // namespace letter_tool
