-- Filters of the audit trail that read it from end to end: what one person did of one kind, and a subject without its type.
CREATE INDEX audit_log_actor_action ON audit_log (actor_id, action, seq);
CREATE INDEX audit_log_subject_id ON audit_log (subject_id, seq);
-- Who does what is no accident: without this PostgreSQL expects every pair of a common actor and a common action often.
CREATE STATISTICS audit_log_actor_action_pairs (mcv) ON actor_id, action FROM audit_log;
