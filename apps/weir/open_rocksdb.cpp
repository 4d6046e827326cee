#include "open_store.hpp"

#ifdef WEIR_HAS_ROCKSDB
#include <weir/error.hpp>
#include <weir/rocksdb/state_store.hpp>

#include <filesystem>
#include <system_error>

namespace state_tool {
namespace {

[[noreturn]] void refuse(std::string const& folder, std::string why) {
  throw weir::error(weir::errc::not_found, "weir: cannot open the store", std::move(why), "give the folder of the pipeline's checkpoints")
      .with_detail(folder);
}

}  // namespace

found_store open_rocksdb(std::string const& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) refuse(folder, "the folder does not exist");
  if (!fs::is_directory(folder, ignored)) refuse(folder, "it is not a folder");
  fs::path const path = folder;
  if (!fs::exists(path / "WEIR", ignored) && !fs::exists(path / "CURRENT", ignored)) refuse(folder, "there are no checkpoints in it");
  return {folder, folder, std::make_unique<weir::rocksdb::state_store>(path)};
}

}  // namespace state_tool
#else
namespace state_tool {
found_store open_rocksdb(std::string const&) { refuse_not_built("rocksdb"); }
}  // namespace state_tool
#endif
