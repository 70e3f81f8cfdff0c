import { READY, type SickDatabase } from './access.ts'

const TABLES = 'the tables are not as the migrations make them'
const AS_OWNER = 'run as the owner of the tables'
const ROLE = 'the portal’s role is not as the portal made it: start a process of it, which runs'
const SUPERUSER = 'PostgreSQL does not let the role of DATABASE_URL do this:'

/** Tables of which a part is off, by the part and the statement that brings it back: a start refuses where money is in danger. */
const changed = (
  what: string,
  cure: string,
  { harm, mend = cure, isGrave = true }: { harm: string; mend?: string; isGrave?: boolean },
): SickDatabase => {
  const sentence = `${TABLES} (${what}): ${AS_OWNER} ${cure}`
  return {
    harm,
    mend,
    name: 'tables',
    diagnosed: `error ${sentence}`,
    refused: isGrave ? `${sentence}, then start again` : null,
    ...(!isGrave && { stays: true }),
    ready: READY,
    fault: 'tables',
  }
}

const ADDS_UP = 'ADD CONSTRAINT ledger_entry_adds_up CHECK ((balance_after = (balance_before + amount)))'

/** What guards money and records in the tables, and what a session has to have for it. */
export const SICK_TABLES: Record<string, SickDatabase> = {
  'a trigger that is turned off': changed(
    'the trigger ledger_entry_append_only of ledger_entry is turned off',
    'ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_append_only',
    { harm: 'ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only' },
  ),
  'references that are not checked': changed(
    'references of ledger_transfer are not checked',
    'ALTER TABLE ledger_transfer ENABLE TRIGGER ALL',
    { harm: 'ALTER TABLE ledger_transfer DISABLE TRIGGER ALL' },
  ),
  'a trigger that is gone': changed(
    'the trigger ledger_entry_no_truncate of ledger_entry is missing',
    'CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
    { harm: 'DROP TRIGGER ledger_entry_no_truncate ON ledger_entry' },
  ),
  'a constraint that is gone': changed(
    'the constraint ledger_entry_adds_up is missing',
    `ALTER TABLE ledger_entry ${ADDS_UP}`,
    { harm: 'ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_adds_up' },
  ),
  'a constraint that old rows were not tried by': changed(
    'the constraint ledger_entry_adds_up is not valid',
    'ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_adds_up',
    {
      harm: `ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_adds_up; ALTER TABLE ledger_entry ${ADDS_UP} NOT VALID`,
      isGrave: false,
    },
  ),
  'a key that is gone': changed(
    'the constraint ledger_entry_one_side is missing',
    'ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_one_side UNIQUE (transfer_id, account_id)',
    { harm: 'ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_one_side' },
  ),
  'a unique index that is gone': changed(
    'the index budget_title is missing',
    'CREATE UNIQUE INDEX budget_title ON public.budget USING btree (lower(title))',
    { harm: 'DROP INDEX budget_title' },
  ),
  'an index that is gone': changed(
    'the index posts_pictures is missing',
    'CREATE INDEX posts_pictures ON public.posts USING gin (pictures)',
    { harm: 'DROP INDEX posts_pictures', isGrave: false },
  ),
  'a column that may be empty': changed(
    'the column payment_order.amount may be empty',
    'ALTER TABLE payment_order ALTER amount SET NOT NULL',
    { harm: 'ALTER TABLE payment_order ALTER amount DROP NOT NULL' },
  ),
  'a column of another kind': changed(
    'the column posts.cover is “cover character varying(99)”',
    'make it “cover text”',
    {
      harm: 'ALTER TABLE posts ALTER cover TYPE varchar(99)',
      mend: 'ALTER TABLE posts ALTER cover TYPE text',
      isGrave: false,
    },
  ),
  'a table that a crash empties': changed(
    'a crash empties the table game.charges, which is unlogged',
    'ALTER TABLE game.charges SET LOGGED',
    { harm: 'ALTER TABLE game.charges SET UNLOGGED' },
  ),
  'rows that row level security hides': changed(
    'row level security hides the rows of users',
    'ALTER TABLE users DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY',
    { harm: 'ALTER TABLE users ENABLE ROW LEVEL SECURITY' },
  ),
  'a function that was changed': changed(
    'the function public.refuse_change is another one',
    'run CREATE OR REPLACE FUNCTION public.refuse_change of sql/schema.gen.sql',
    {
      harm: `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW\\; END$$`,
      mend: `CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'CN002'\\;
END
$function$`,
    },
  ),
  'a function that no longer runs as its owner': changed(
    'the function public.ledger_post is another one',
    'run CREATE OR REPLACE FUNCTION public.ledger_post of sql/schema.gen.sql',
    {
      harm: 'ALTER FUNCTION ledger_post SECURITY INVOKER',
      mend: 'ALTER FUNCTION ledger_post SECURITY DEFINER',
      isGrave: false,
    },
  ),
  'a rule that swallows what is written': changed(
    'the rule nothing changes what is written to ledger_entry',
    'DROP RULE nothing ON ledger_entry',
    { harm: 'CREATE RULE nothing AS ON INSERT TO ledger_entry DO INSTEAD NOTHING' },
  ),
  'a trigger of somebody else': changed(
    'posts has a trigger theirs of somebody else',
    'DROP TRIGGER theirs ON posts',
    {
      harm: 'CREATE TRIGGER theirs BEFORE TRUNCATE ON posts EXECUTE FUNCTION refuse_change()',
      isGrave: false,
    },
  ),
  'a column of somebody else that has to be filled': changed(
    'posts has a column theirs of somebody else, which the portal does not fill',
    'ALTER TABLE posts ALTER theirs DROP NOT NULL',
    {
      harm: 'ALTER TABLE posts ADD theirs text NOT NULL',
      mend: 'ALTER TABLE posts DROP theirs',
      isGrave: false,
    },
  ),
  'a sequence behind its column': {
    harm: `INSERT INTO answer_template (title, text) VALUES ('một hai', 'ba'); ALTER SEQUENCE answer_template_id_seq RESTART WITH 1`,
    mend: `DELETE FROM answer_template`,
    name: 'tables',
    diagnosed:
      'error numbers are given that are taken (answer_template_id_seq), so that new rows are refused: start a process of the portal',
    refused: null,
    ready: READY,
  },
  'a table of another owner': {
    harm: 'ALTER TABLE posts OWNER TO @superuser',
    mend: 'ALTER TABLE posts OWNER TO @owner',
    name: 'tables',
    diagnosed:
      'error what belongs to another role cannot be migrated: let a superuser run ALTER TABLE posts OWNER TO @owner',
    refused: null,
    stays: true,
    ready: READY,
  },
  'a database whose triggers do not run': {
    harm: 'ALTER DATABASE @db SET session_replication_role = replica',
    mend: 'ALTER DATABASE @db RESET session_replication_role',
    name: 'writes',
    diagnosed:
      'error session_replication_role is replica for the role "@owner", with which what guards money is off … let a superuser run ALTER DATABASE "@db" RESET session_replication_role, then start again',
    refused: 'session_replication_role is replica for the role "@owner"',
    ready: READY,
    fault: 'unguarded',
  },
  'a role of the portal whose triggers do not run': {
    harm: 'ALTER ROLE @portal SET session_replication_role = replica',
    mend: 'ALTER ROLE @portal RESET session_replication_role',
    name: 'rights',
    diagnosed: `error ${ROLE} ALTER ROLE "@portal" RESET session_replication_role`,
    refused: `${SUPERUSER} ALTER ROLE "@portal" RESET session_replication_role (…); let a superuser run it once`,
    ready: READY,
    fault: 'unguarded',
  },
  'a role of the portal with transactions of another kind': {
    harm: `ALTER ROLE @portal SET default_transaction_isolation = serializable`,
    mend: '',
    name: 'rights',
    diagnosed: `error ${ROLE} ALTER ROLE "@portal" SET default_transaction_isolation = 'read committed'`,
    refused: null,
    ready: READY,
    fault: 'unguarded',
  },
  'a role of the portal that reads dates of another form': {
    harm: `ALTER ROLE @portal IN DATABASE @db SET datestyle = 'German'`,
    mend: '',
    name: 'rights',
    diagnosed: `error ${ROLE} ALTER ROLE "@portal" IN DATABASE "@db" RESET DateStyle`,
    refused: null,
    ready: READY,
    fault: 'unguarded',
  },
  'a role of the portal whose idle sessions are ended': {
    harm: `ALTER ROLE @portal SET idle_session_timeout = 1000`,
    mend: '',
    name: 'rights',
    diagnosed: `error ${ROLE} ALTER ROLE "@portal" SET idle_session_timeout = '0'`,
    refused: null,
    ready: READY,
  },
  'a role of the portal that may run programs of the server': {
    harm: 'GRANT pg_execute_server_program TO @portal',
    mend: 'REVOKE pg_execute_server_program FROM @portal',
    name: 'rights',
    diagnosed: `error ${ROLE} REVOKE pg_execute_server_program FROM @portal`,
    refused: `${SUPERUSER} REVOKE pg_execute_server_program FROM @portal (…); let a superuser run it once`,
    ready: READY,
  },
  'the group of the portal’s role in another group': {
    harm: 'GRANT pg_read_server_files TO portal_app',
    mend: 'REVOKE pg_read_server_files FROM portal_app',
    name: 'rights',
    diagnosed: `error ${ROLE} REVOKE pg_read_server_files FROM portal_app`,
    refused: `${SUPERUSER} REVOKE pg_read_server_files FROM portal_app (…); let a superuser run it once`,
    ready: READY,
  },
  'a role of the portal that reads the whole log of changes': {
    harm: 'ALTER ROLE @portal REPLICATION BYPASSRLS',
    mend: 'ALTER ROLE @portal NOREPLICATION NOBYPASSRLS',
    name: 'rights',
    diagnosed: `error ${ROLE} ALTER ROLE "@portal" NOBYPASSRLS NOREPLICATION`,
    refused: `${SUPERUSER} ALTER ROLE "@portal" NOBYPASSRLS NOREPLICATION (…); let a superuser run it once`,
    ready: READY,
  },
  'indexes that another version of the system sorted': {
    harm: `UPDATE pg_database SET datcollversion = '1.0' WHERE datname = '@db'`,
    mend: 'ALTER DATABASE @db REFRESH COLLATION VERSION',
    name: 'server',
    diagnosed:
      'error …the indexes of texts were sorted by version 1.0 of the system’s rules, and PostgreSQL now has version …: they can miss what is there and let it in twice; run REINDEX DATABASE @db; ALTER DATABASE @db REFRESH COLLATION VERSION',
    refused: 'the indexes of texts were sorted by version 1.0 of the system’s rules',
    ready: READY,
    fault: 'collation',
  },
  'a limit of temporary files that is too small': {
    harm: 'ALTER DATABASE @db SET temp_file_limit = 0',
    mend: 'ALTER DATABASE @db RESET temp_file_limit',
    name: 'writes',
    diagnosed:
      'error temp_file_limit lets no statement use a megabyte of the disk (…): let a superuser run ALTER DATABASE "@db" RESET temp_file_limit, then start again',
    refused: 'temp_file_limit lets no statement use a megabyte of the disk',
    ready: READY,
  },
}
