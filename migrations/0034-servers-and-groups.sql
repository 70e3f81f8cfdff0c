-- Servers and ranking groups as operators change them: who saves tells which state they have seen.
ALTER TABLE servers ADD updated_at timestamptz NOT NULL DEFAULT clock_timestamp();
ALTER TABLE ranking_groups ADD updated_at timestamptz NOT NULL DEFAULT clock_timestamp();
