#pragma once
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/performatives.hpp>
#include <weir/amqp/sasl.hpp>
#include <weir/amqp/terminus.hpp>

#include <concepts>
#include <type_traits>

namespace weir::amqp::detail {

// The fields of each type in the order of the standard, for reading (`Fields` is a field_reader) and for writing.
template <class T, class Of>
concept fields_of = std::same_as<std::remove_const_t<T>, Of>;

template <class Fields> void fields(Fields& f, fields_of<error_view> auto& v) {
  f.required(v.condition);
  f(v.description);
  f(v.info);
}

template <class Fields> void fields(Fields& f, fields_of<open> auto& v) {
  f.required(v.container_id);
  f(v.hostname);
  f(v.max_frame_size, 0xffffffff);
  f(v.channel_max, 0xffff);
  f(v.idle_time_out);
  f(v.outgoing_locales);
  f(v.incoming_locales);
  f(v.offered_capabilities);
  f(v.desired_capabilities);
  f(v.properties);
}

template <class Fields> void fields(Fields& f, fields_of<begin> auto& v) {
  f(v.remote_channel);
  f.required(v.next_outgoing_id);
  f.required(v.incoming_window);
  f.required(v.outgoing_window);
  f(v.handle_max, 0xffffffff);
  f(v.offered_capabilities);
  f(v.desired_capabilities);
  f(v.properties);
}

template <class Fields> void fields(Fields& f, fields_of<attach> auto& v) {
  f.required(v.name);
  f.required(v.handle);
  f.required(v.role);
  f(v.snd_settle_mode, sender_settle_mode::mixed);
  f(v.rcv_settle_mode);
  f(v.source);
  f(v.target);
  f(v.unsettled);
  f(v.incomplete_unsettled);
  f(v.initial_delivery_count);
  f(v.max_message_size);
  f(v.offered_capabilities);
  f(v.desired_capabilities);
  f(v.properties);
}

template <class Fields> void fields(Fields& f, fields_of<flow> auto& v) {
  f(v.next_incoming_id);
  f.required(v.incoming_window);
  f.required(v.next_outgoing_id);
  f.required(v.outgoing_window);
  f(v.handle);
  f(v.delivery_count);
  f(v.link_credit);
  f(v.available);
  f(v.drain);
  f(v.echo);
  f(v.properties);
}

template <class Fields> void fields(Fields& f, fields_of<transfer> auto& v) {
  f.required(v.handle);
  f(v.delivery_id);
  f(v.delivery_tag);
  f(v.message_format);
  f(v.settled);
  f(v.more);
  f(v.rcv_settle_mode);
  f(v.state);
  f(v.resume);
  f(v.aborted);
  f(v.batchable);
}

template <class Fields> void fields(Fields& f, fields_of<disposition> auto& v) {
  f.required(v.role);
  f.required(v.first);
  f(v.last);
  f(v.settled);
  f(v.state);
  f(v.batchable);
}

template <class Fields> void fields(Fields& f, fields_of<detach> auto& v) {
  f.required(v.handle);
  f(v.closed);
  f(v.error);
}

template <class Fields> void fields(Fields& f, fields_of<end> auto& v) { f(v.error); }
template <class Fields> void fields(Fields& f, fields_of<close> auto& v) { f(v.error); }

template <class Fields> void fields(Fields& f, fields_of<source_terminus> auto& v) {
  f(v.address);
  f(v.durable);
  f(v.expiry_policy);
  f(v.timeout);
  f(v.dynamic);
  f(v.dynamic_node_properties);
  f(v.distribution_mode);
  f(v.filter);
  f(v.default_outcome);
  f(v.outcomes);
  f(v.capabilities);
}

template <class Fields> void fields(Fields& f, fields_of<target_terminus> auto& v) {
  f(v.address);
  f(v.durable);
  f(v.expiry_policy);
  f(v.timeout);
  f(v.dynamic);
  f(v.dynamic_node_properties);
  f(v.capabilities);
}

template <class Fields> void fields(Fields& f, fields_of<properties_view> auto& v) {
  f(v.message_id);
  f(v.user_id);
  f(v.to);
  f(v.subject);
  f(v.reply_to);
  f(v.correlation_id);
  f(v.content_type);
  f(v.content_encoding);
  f(v.absolute_expiry_time);
  f(v.creation_time);
  f(v.group_id);
  f(v.group_sequence);
  f(v.reply_to_group_id);
}

template <class Fields> void fields(Fields& f, fields_of<sasl_mechanisms> auto& v) { f.required(v.server_mechanisms); }

template <class Fields> void fields(Fields& f, fields_of<sasl_init> auto& v) {
  f.required(v.mechanism);
  f(v.initial_response);
  f(v.hostname);
}

template <class Fields> void fields(Fields& f, fields_of<sasl_challenge> auto& v) { f.required(v.challenge); }
template <class Fields> void fields(Fields& f, fields_of<sasl_response> auto& v) { f.required(v.response); }

template <class Fields> void fields(Fields& f, fields_of<sasl_outcome> auto& v) {
  f.required(v.outcome);
  f(v.additional_data);
}

}  // namespace weir::amqp::detail
