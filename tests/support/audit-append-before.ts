/** SQL that makes the function that appended rows while the audit trail was one chain, under another name or its own. */
export const auditAppendBefore = (name: string): string => `CREATE OR REPLACE FUNCTION ${name}(
  p_actor_kind text, p_actor_id bigint, p_action text, p_subject_type text, p_subject_id text, p_reason text,
  p_details jsonb, p_personal jsonb, p_personal_hash bytea, p_request_id text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  head audit_head;
  entry audit_log;
BEGIN
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  entry := ROW(head.seq + 1, clock_timestamp(), p_actor_kind, p_actor_id, p_action, p_subject_type, p_subject_id,
    p_reason, p_details, p_personal_hash, p_request_id, head.hash, ''::bytea);
  entry.hash := sha256(head.hash || audit_canonical(entry));
  INSERT INTO audit_log SELECT entry.*;
  IF p_personal IS NOT NULL THEN
    INSERT INTO audit_personal (seq, content) VALUES (entry.seq, p_personal);
  END IF;
  UPDATE audit_head SET seq = entry.seq, hash = entry.hash;
  RETURN entry.seq;
END
$$;`
