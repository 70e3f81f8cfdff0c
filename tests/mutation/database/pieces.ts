import { escapeLiteral } from 'pg'

/** Takes the keys and unique indexes of a table away, but for one. */
export const dropOtherKeys = (table: string, but = '') => `
DO $$
DECLARE
  other record;
BEGIN
  FOR other IN SELECT c.conname FROM pg_constraint c
    WHERE c.conrelid = '${table}'::regclass AND c.contype IN ('p', 'u') AND c.conname <> '${but}'
  LOOP
    EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I CASCADE', other.conname);
  END LOOP;
  FOR other IN SELECT indexrelid::regclass AS name FROM pg_index JOIN pg_class i ON i.oid = indexrelid
    WHERE indrelid = '${table}'::regclass AND indisunique AND i.relname <> '${but}'
  LOOP
    EXECUTE format('DROP INDEX %s', other.name);
  END LOOP;
END
$$;`

/** Writes a row again. What PostgreSQL computes itself it computes again. */
export const copyOf = (table: string, row: string) => `
DO $$
DECLARE
  columns text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
BEGIN
  EXECUTE format('INSERT INTO ${table} (%1$s) OVERRIDING SYSTEM VALUE SELECT %1$s FROM ${table} WHERE %2$s', columns,
    ${escapeLiteral(row)});
END
$$`

/** Ends the attempt with an error unless the condition is true. */
export const holds = (condition: string) => `DO $$ BEGIN ASSERT (${condition}); END $$;`

export const ERASE_PLAYER = `UPDATE users SET username = 'da-xoa-1', erased_at = now() WHERE id = 1;`

/** Writes a function again with a piece of its text replaced; a piece that is not there is a mistake of the guard. */
export const rewrite = (name: string, piece: string, instead: string) => `
DO $do$
DECLARE
  before text := pg_get_functiondef('${name}'::regproc);
  after text := replace(before, ${escapeLiteral(piece)}, ${escapeLiteral(instead)});
BEGIN
  IF before = after THEN
    RAISE EXCEPTION '% has no %', '${name}', ${escapeLiteral(piece)};
  END IF;
  EXECUTE after;
END
$do$`
