// error: scan's accumulator is part of checkpoints and needs a codec
#include <weir/operators/scan.hpp>

#include <string_view>

void misuse(weir::stream<std::string_view> words) {
  auto s = std::move(words) | weir::scan(std::string_view(), [](std::string_view& longest, std::string_view word) {
             if (word.size() > longest.size()) longest = word;
           });
}
