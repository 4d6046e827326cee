#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// Makes or replaces `file` as a whole: the text goes to a temporary file beside it, which is renamed when it is on the disk. A reader,
/// or a run that is killed, finds the old file or the new one, never a part.
///
/// `what` names it in messages ("results"). Errors: `weir::error` with the file's name; the old file is then as it was and no temporary
/// is left.
void write_whole_file(std::string const& file, std::string_view text, std::string_view what);

/// Makes the folder and those above it where they are missing. Errors: `weir::error` with its name.
void make_folder(std::string const& folder, std::string_view what);

}  // namespace command_line
