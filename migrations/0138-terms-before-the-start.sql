-- expand
-- The terms of a campaign may be changed until it is started.
ALTER TABLE promotion ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
GRANT UPDATE (title, budget_id, starts_at, ends_at, kind, percent, amount, steps, minimum, cap_per_player, cap_total,
  is_first_recharge, channel, updated_at) ON promotion TO portal_app;

ALTER TABLE milestone_program ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
GRANT UPDATE (title, starts_at, ends_at, claims_until, claims_max, updated_at) ON milestone_program TO portal_app;
GRANT DELETE ON milestone_step TO portal_app;

ALTER TABLE gift_code_batch ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
GRANT UPDATE (title, coins, budget_id, goods, starts_at, ends_at, per_player, server_id, updated_at)
  ON gift_code_batch TO portal_app;

-- What players were promised stays, whatever the portal does; the owner of the tables may repair rows.
CREATE FUNCTION campaign_terms_stay() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF pg_has_role((SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN coalesce(NEW, OLD);
  END IF;
  IF TG_TABLE_NAME = 'milestone_step' THEN
    IF (SELECT state FROM milestone_program WHERE id = OLD.program_id) = 'planned' THEN
      RETURN OLD;
    END IF;
  ELSIF OLD.state = 'planned' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the terms of % stay once it was started', TG_TABLE_NAME USING ERRCODE = 'CN002';
END
$$;
CREATE TRIGGER promotion_terms_stay
  BEFORE UPDATE OF title, budget_id, starts_at, ends_at, kind, percent, amount, steps, minimum, cap_per_player, cap_total,
    is_first_recharge, channel ON promotion
  FOR EACH ROW EXECUTE FUNCTION campaign_terms_stay();
CREATE TRIGGER milestone_program_terms_stay
  BEFORE UPDATE OF title, starts_at, ends_at, claims_until, claims_max ON milestone_program
  FOR EACH ROW EXECUTE FUNCTION campaign_terms_stay();
CREATE TRIGGER milestone_step_terms_stay BEFORE DELETE ON milestone_step
  FOR EACH ROW EXECUTE FUNCTION campaign_terms_stay();
CREATE TRIGGER gift_code_batch_terms_stay
  BEFORE UPDATE OF title, coins, budget_id, goods, starts_at, ends_at, per_player, server_id ON gift_code_batch
  FOR EACH ROW EXECUTE FUNCTION campaign_terms_stay();
