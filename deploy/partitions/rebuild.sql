-- Makes a table anew, in partitions or whole, with its rows, keys, indexes, triggers and rights. Used by split.sql and
-- join.sql in the same session; docs/runbooks/partitions.md says when and how. It reads what the table has from the
-- catalog, so that it holds for tables that later migrations have changed.
--
-- `clause` is what stands behind the list of columns (empty: one whole table), `parts` are the statements that make the
-- partitions, `keys` replaces definitions of keys: '{"PRIMARY KEY (id)": "PRIMARY KEY (id, at)"}'.
CREATE FUNCTION pg_temp.rebuild(target text, clause text, parts text[], keys jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  former regclass := target::regclass;
  whole text := target || '_former';
  definitions text[];
  rights text[];
  truncations text[];
  numbered text := (SELECT attname FROM pg_attribute WHERE attrelid = former AND attidentity <> '');
  serial text := CASE WHEN numbered IS NOT NULL THEN pg_get_serial_sequence(target, numbered) END;
  serial_next bigint;
  rows_before bigint;
  rows_after bigint;
  each_one text;
BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE confrelid = former AND conparentid = 0) THEN
    RAISE EXCEPTION 'other tables refer to %: it is not rebuilt', target;
  END IF;
  SELECT array_agg(made ORDER BY step, name) INTO definitions FROM (
    SELECT 1 AS step, conname AS name, format('ALTER TABLE %I ADD CONSTRAINT %I %s', target, conname,
             coalesce(keys ->> pg_get_constraintdef(oid), pg_get_constraintdef(oid))) AS made
      FROM pg_constraint WHERE conrelid = former AND contype IN ('p', 'u')
    UNION ALL
    SELECT 2, indexrelid::regclass::name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
      FROM pg_index WHERE indrelid = former AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    UNION ALL
    SELECT 3, conname, format('ALTER TABLE %I ADD CONSTRAINT %I %s', target, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = former AND contype = 'f'
    UNION ALL
    SELECT 4, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = former AND NOT tgisinternal) AS had;
  -- A trigger on TRUNCATE guards the table it is on and none of its partitions. 32: TRUNCATE in tgtype.
  SELECT array_agg(pg_get_triggerdef(oid)) INTO truncations
    FROM pg_trigger WHERE tgrelid = former AND NOT tgisinternal AND (tgtype & 32) > 0;
  SELECT array_agg(format('GRANT %s ON %I TO %s', granted.privilege_type, target, granted.grantee::regrole)) INTO rights
    FROM pg_class c, aclexplode(c.relacl) AS granted WHERE c.oid = former AND granted.grantee <> c.relowner;
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = former AND attacl IS NOT NULL) THEN
    RAISE EXCEPTION 'rights on single columns of % are not carried over', target;
  END IF;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', target);
  EXECUTE format('SELECT count(*) FROM %I', target) INTO rows_before;
  IF serial IS NOT NULL THEN
    serial_next := nextval(serial);
  END IF;

  EXECUTE format('ALTER TABLE %I RENAME TO %I', target, whole);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED
    INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMMENTS) %s', target, whole, clause);
  FOREACH each_one IN ARRAY parts LOOP
    EXECUTE each_one;
  END LOOP;
  EXECUTE format('INSERT INTO %I OVERRIDING SYSTEM VALUE SELECT * FROM %I', target, whole);
  GET DIAGNOSTICS rows_after = ROW_COUNT;
  IF rows_after <> rows_before THEN
    RAISE EXCEPTION '% of % rows of % were copied', rows_after, rows_before, target;
  END IF;
  EXECUTE format('DROP TABLE %I', whole);
  IF serial IS NOT NULL THEN
    EXECUTE format('ALTER SEQUENCE %s RENAME TO %I', pg_get_serial_sequence(target, numbered), split_part(serial, '.', 2));
    PERFORM setval(serial, serial_next, false);
  END IF;
  FOREACH each_one IN ARRAY definitions || rights LOOP
    EXECUTE each_one;
  END LOOP;
  IF clause <> '' AND truncations IS NOT NULL THEN
    PERFORM pg_temp.guard_parts(target, truncations);
  END IF;
  RETURN format('%s: %s rows', target, rows_after);
END
$$;

-- The same triggers on each partition.
CREATE FUNCTION pg_temp.guard_parts(target text, triggers text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
  made text;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = target::regclass LOOP
    FOREACH made IN ARRAY triggers LOOP
      EXECUTE regexp_replace(made, ' ON \S+ ', format(' ON %s ', part));
    END LOOP;
  END LOOP;
END
$$;
