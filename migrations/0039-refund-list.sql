-- The operators' list of refunds at MoMo's gateway, narrowed by one of these.
CREATE INDEX gateway_refund_state ON gateway_refund (state, id);
CREATE INDEX gateway_refund_asker ON gateway_refund (asked_by, id);
