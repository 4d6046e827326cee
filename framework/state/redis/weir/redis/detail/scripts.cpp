#include <weir/redis/detail/scripts.hpp>

namespace weir::redis::detail {
namespace {

// A head is a hash; its sum is over its key's name and all its fields.
constexpr char reading[] = R"lua(
local names = {'format', 'position', 'rank', 'written_at', 'version', 'writer', 'entries'}
local function sum_of(key, values)
  local parts = {#key .. ':' .. key}
  for i = 1, #names do parts[i + 1] = #values[i] .. ':' .. values[i] end
  return redis.sha1hex(table.concat(parts))
end
local function other(key, wanted)
  local is = redis.call('TYPE', key).ok
  if is ~= 'none' and is ~= wanted then return {'foreign', key, is} end
end
local function read(key)
  local problem = other(key, 'hash')
  if problem then return problem end
  if redis.call('EXISTS', key) == 0 then return {'absent'} end
  local values = redis.call('HMGET', key, 'format', 'position', 'rank', 'written_at', 'version', 'writer', 'entries', 'sum')
  local format = values[1]
  if format and string.match(format, '^%d+$') and tonumber(format) > 1 then return {'later', key, format} end
  for i = 1, 8 do
    if not values[i] then return {'corrupt', key, 'a field of its head is missing'} end
  end
  if values[8] ~= sum_of(key, values) then return {'corrupt', key, 'its head does not match its checksum'} end
  return {'head', values[2], values[4], values[5], values[6], values[7], values[3]}
end
)lua";

// The head, with the rest of the checkpoint as it must be when there is that head.
constexpr char reading_whole[] = R"lua(
local head, state, order, index = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local function read_whole(member)
  local found = read(head)
  if found[1] ~= 'head' and found[1] ~= 'absent' then return found end
  local problem = other(state, 'hash') or other(order, 'zset') or other(index, 'set')
  if problem then return problem end
  local fields, listed = redis.call('HLEN', state), redis.call('ZCARD', order)
  local wanted = found[1] == 'head' and tonumber(found[6]) or 0
  if fields ~= wanted or listed ~= wanted then
    return {'corrupt', state, 'it has ' .. fields .. ' entries and ' .. listed .. ' in order, and should have ' .. wanted}
  end
  if redis.call('SISMEMBER', index, member) ~= (found[1] == 'head' and 1 or 0) then
    return {'corrupt', head, found[1] == 'head' and 'the index of the pipeline lacks it' or 'it is missing, and the index of the pipeline has it'}
  end
  return found
end
)lua";

constexpr char committing[] = R"lua(
local builds_on, position, rank, written_at, version, writer, member, touch, back =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local found = read_whole(member)
local entries = 0
if found[1] == 'head' then
  if found[4] == version and touch == '1' then redis.call('HSET', head, 'format', '1') end
  if found[4] ~= builds_on or (found[7] > rank and back ~= '1') then return found end
  entries = tonumber(found[6])
elseif found[1] ~= 'absent' or builds_on ~= '0' then
  return found
end
-- Calls cost more than what they do, so puts that follow each other are one. Fields that are there already have their place in the order.
local pairs_put, scores = {}, {}
local function put_all()
  if #pairs_put == 0 then return end
  if redis.call('HSET', state, unpack(pairs_put)) ~= 0 then entries = entries + redis.call('ZADD', order, unpack(scores)) end
  pairs_put, scores = {}, {}
end
for i = 10, #ARGV do
  local steps, at = ARGV[i], 1
  while at <= #steps do
    local kind, field, value
    kind, field, value, at = struct.unpack('<BI4c0I4c0', steps, at)
    if kind == 0 then
      local n = #pairs_put
      pairs_put[n + 1], pairs_put[n + 2] = field, value
      scores[n + 1], scores[n + 2] = '0', field
      if n >= 1000 then put_all() end
    else
      put_all()
      local fields = {field}
      repeat
        if kind == 2 then fields = redis.call('ZRANGEBYLEX', order, '[' .. field, '(' .. value, 'LIMIT', 0, 1000) end
        if #fields ~= 0 then
          redis.call('HDEL', state, unpack(fields))
          entries = entries - redis.call('ZREM', order, unpack(fields))
        end
      until kind == 1 or #fields < 1000
    end
  end
end
put_all()
local values = {'1', position, rank, written_at, version, writer, string.format('%.0f', entries)}
local args = {}
for i = 1, #names do
  args[#args + 1] = names[i]
  args[#args + 1] = values[i]
end
redis.call('HSET', head, 'sum', sum_of(head, values), unpack(args))
redis.call('SADD', index, member)
return {'done'}
)lua";

constexpr char loading[] = R"lua(
local from, most, most_bytes, sizes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5] == '1'
local found = read_whole(ARGV[4])
if found[1] ~= 'head' then return found end
local fields = redis.call('ZRANGEBYLEX', order, from == '' and '-' or '(' .. from, '+', 'LIMIT', 0, most)
local out, bytes, taken = {}, 0, 0
for _, field in ipairs(fields) do
  local value = redis.call(sizes and 'HSTRLEN' or 'HGET', state, field)
  if not value or value == 0 then return {'corrupt', state, 'an entry that the order names is missing'} end
  out[#out + 1] = field
  out[#out + 1] = value
  taken, bytes = taken + 1, bytes + #field + (sizes and 0 or #value)
  if bytes >= most_bytes then break end
end
found[7] = (taken < #fields or #fields == most) and '1' or '0'
found[8] = out
return found
)lua";

constexpr char listing[] = R"lua(
local index = KEYS[1]
local problem = other(index, 'set')
if problem then return {{'', problem}} end
local out = {}
for _, member in ipairs(redis.call('SMEMBERS', index)) do
  local key = index .. ':' .. member .. ':head'
  local found = read(key)
  if found[1] == 'absent' then found = {'corrupt', key, 'it is missing, and the index of the pipeline has it'} end
  out[#out + 1] = {member, found}
end
return out
)lua";

constexpr char erasing[] = R"lua(
local head, state, order, index = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local found = read(head)
if found[1] == 'foreign' or found[1] == 'later' then return found end
local problem = other(state, 'hash') or other(order, 'zset') or other(index, 'set')
if problem then return problem end
redis.call('UNLINK', head, state, order)
redis.call('SREM', index, ARGV[1])
return {'done'}
)lua";

constexpr char scanning[] = R"lua(
local found = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
local out = {found[1]}
for _, key in ipairs(found[2]) do
  local problem = other(key, 'set')
  if problem then return problem end
  local index = redis.call('SMEMBERS', key)
  table.insert(index, 1, key)
  out[#out + 1] = index
end
return out
)lua";

}  // namespace

std::string const& text_of(script s) {
  static std::array<std::string, script_count> const all{std::string(reading) + reading_whole + committing,
                                                         std::string(reading) + reading_whole + loading, std::string(reading) + listing,
                                                         std::string(reading) + erasing, std::string(reading) + scanning};
  return all[static_cast<std::size_t>(s)];
}

}  // namespace weir::redis::detail
