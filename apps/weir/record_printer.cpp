#include "record_printer.hpp"

#include <weir/error.hpp>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace state_tool {

void record_printer::print(std::string_view data) {
  if (left_ == 0) return;
  std::fwrite(data.data(), 1, data.size(), stdout);
  std::fputc('\n', stdout);
  finish();
}

void record_printer::print(json_line line) {
  if (left_ == 0) return;
  line.print();
  finish();
}

void record_printer::finish() {
  --left_;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw weir::error(std::error_code(errno, std::system_category()), "weir: cannot write to standard output");
}

}  // namespace state_tool
