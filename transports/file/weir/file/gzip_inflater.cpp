#include <weir/file/gzip_inflater.hpp>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace weir::file {
namespace {
constexpr int gzip_only = 15 + 16;  // the largest window; a gzip header, not a zlib one

uInt bounded(std::size_t n) { return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max())); }
}  // namespace

struct gzip_inflater::state {
  z_stream z{};
};

gzip_inflater::gzip_inflater() : state_(std::make_unique<state>()) {
  if (inflateInit2(&state_->z, gzip_only) != Z_OK) throw std::bad_alloc();
}

gzip_inflater::~gzip_inflater() { inflateEnd(&state_->z); }

gzip_inflater::step gzip_inflater::inflate(std::string_view input, std::span<char> output) {
  z_stream& z = state_->z;
  step done;
  while (true) {
    if (between_members_) {
      if (done.consumed == input.size()) return done;
      if (any_member_ && input[done.consumed] != '\x1f') {
        done.what = outcome::trailing_garbage;
        return done;
      }
      inflateReset(&z);
      between_members_ = false;
    }
    // zlib's input pointer is not const for historical reasons; it does not write there.
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data() + done.consumed));
    z.avail_in = bounded(input.size() - done.consumed);
    z.next_out = reinterpret_cast<Bytef*>(output.data() + done.produced);
    z.avail_out = bounded(output.size() - done.produced);
    uInt const in_before = z.avail_in, out_before = z.avail_out;
    int const result = ::inflate(&z, Z_NO_FLUSH);
    done.consumed += in_before - z.avail_in;
    done.produced += out_before - z.avail_out;
    if (result == Z_STREAM_END) {
      between_members_ = any_member_ = true;
      continue;
    }
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_BUF_ERROR) {
      // When the second byte is wrong, too, it is no member; zlib has read two bytes by then.
      done.what = any_member_ && z.total_out == 0 && z.total_in <= 2 ? outcome::trailing_garbage : outcome::corrupt;
      return done;
    }
    if (done.produced == output.size()) {
      done.what = outcome::output_full;
      return done;
    }
    if (done.consumed == input.size()) return done;
  }
}

}  // namespace weir::file
