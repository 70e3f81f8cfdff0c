-- The audit trail as operators read it: by action, by kind of subject, by request and by time, always in the order it was
-- written.
CREATE INDEX audit_log_action ON audit_log (action, seq);
CREATE INDEX audit_log_subject_type ON audit_log (subject_type, seq);
CREATE INDEX audit_log_request ON audit_log (request_id, seq) WHERE request_id IS NOT NULL;
CREATE INDEX audit_log_at ON audit_log (at, seq);
