#include <weir/redis/detail/reply.hpp>

#include <weir/error.hpp>

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#include <new>
#include <utility>

namespace weir::redis::detail {
namespace {

[[noreturn]] void refuse(char const* why) {
  throw error(errc::malformed, "redis: cannot read a reply", why, "look whether it is a Redis server which answers there");
}

reply converted(redisReply const& r) {
  reply out;
  switch (r.type) {
    case REDIS_REPLY_NIL: break;
    case REDIS_REPLY_INTEGER:
      out.kind = reply_kind::integer;
      out.integer = r.integer;
      break;
    case REDIS_REPLY_ARRAY:
      out.kind = reply_kind::list;
      out.parts.reserve(r.elements);
      for (std::size_t i = 0; i != r.elements; ++i) out.parts.push_back(converted(*r.element[i]));
      break;
    default:
      out.kind = r.type == REDIS_REPLY_ERROR ? reply_kind::error : r.type == REDIS_REPLY_STATUS ? reply_kind::status : reply_kind::text;
      out.text.assign(r.str, r.len);
  }
  return out;
}

}  // namespace

struct reply_reader::rep {
  rep() : reader(redisReaderCreate()) {
    if (!reader) throw std::bad_alloc();
  }
  rep(rep const&) = delete;
  rep& operator=(rep const&) = delete;
  ~rep() { redisReaderFree(reader); }
  redisReader* reader;
};

reply_reader::reply_reader() : rep_(std::make_unique<rep>()) {}
reply_reader::~reply_reader() = default;

void reply_reader::feed(std::string_view bytes) {
  if (redisReaderFeed(rep_->reader, bytes.data(), bytes.size()) != REDIS_OK) refuse(rep_->reader->errstr);
}

std::optional<reply> reply_reader::next() {
  void* found = nullptr;
  if (redisReaderGetReply(rep_->reader, &found) != REDIS_OK) refuse(rep_->reader->errstr);
  if (!found) return std::nullopt;
  struct freed {
    void operator()(void* r) const noexcept { freeReplyObject(r); }
  };
  std::unique_ptr<void, freed> const kept(found);
  return converted(*static_cast<redisReply*>(found));
}

void put_command(std::string& to, std::vector<std::string_view> const& words) {
  to.append("*").append(std::to_string(words.size())).append("\r\n");
  for (std::string_view const w : words) to.append("$").append(std::to_string(w.size())).append("\r\n").append(w).append("\r\n");
}

}  // namespace weir::redis::detail
