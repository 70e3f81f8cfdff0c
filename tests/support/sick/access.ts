import type { Said } from './said.ts'

/** A database, by the statements of a superuser that make it sick and well again. */
export type SickDatabase = Said & {
  harm: string
  mend: string
  /** Where a start that goes on sets nothing right. */
  stays?: true
  /** Where it lets nobody in: the statements are run beside it. */
  isBeside?: true
}

export const READY = { status: 'ok' }
const NOT_LET_IN = { status: 'unavailable', reason: 'not-let-in' }
const LACKS = { status: 'read-only', reason: 'missing-rights' }

const READ_ONLY = 'because default_transaction_read_only is on: run BEGIN READ WRITE;'

/** Who may do what with the database, and whether it takes changes. */
export const SICK_ACCESS: Record<string, SickDatabase> = {
  'a database that is only read from': {
    harm: 'ALTER DATABASE @db SET default_transaction_read_only = on',
    mend: 'ALTER DATABASE @db RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER DATABASE "@db" RESET default_transaction_read_only; COMMIT, then start again`,
    refused: `PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER DATABASE "@db" RESET`,
    ready: { status: 'read-only', reason: 'read-only' },
  },
  'an owner that only reads': {
    harm: 'ALTER ROLE @owner SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @owner RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER ROLE "@owner" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER ROLE "@owner" RESET`,
    ready: READY,
  },
  'a role of the portal that only reads': {
    harm: 'ALTER ROLE @portal SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @portal RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" RESET`,
    ready: { status: 'read-only', reason: 'read-only' },
  },
  'a role of the portal that only reads in this database': {
    harm: 'ALTER ROLE @portal IN DATABASE @db SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @portal IN DATABASE @db RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" IN DATABASE "@db" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" IN DATABASE "@db" RESET`,
    ready: { status: 'read-only', reason: 'read-only' },
  },
  'rights on tables that were revoked': {
    harm: 'REVOKE SELECT, INSERT ON users FROM portal_app',
    mend: 'GRANT SELECT, INSERT ON users TO portal_app',
    name: 'rights',
    diagnosed:
      'error the portal’s role lacks INSERT, SELECT ON users: start a process of the portal, which gives it these again',
    refused: null,
    ready: LACKS,
  },
  'rights on columns that were revoked': {
    harm: 'REVOKE UPDATE (state, attempt) ON delivery FROM portal_app',
    mend: 'GRANT UPDATE (state, attempt) ON delivery TO portal_app',
    name: 'rights',
    diagnosed:
      'error the portal’s role lacks UPDATE (attempt, state) ON delivery: start a process of the portal',
    refused: null,
    ready: LACKS,
  },
  'a right on a function that was revoked': {
    harm: 'REVOKE EXECUTE ON FUNCTION erase_user FROM portal_app',
    mend: 'GRANT EXECUTE ON FUNCTION erase_user TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks EXECUTE ON FUNCTION erase_user(bigint): start a process',
    refused: null,
    ready: LACKS,
  },
  'a right on a function that everybody had': {
    harm: 'REVOKE EXECUTE ON FUNCTION search_form FROM PUBLIC',
    mend: 'GRANT EXECUTE ON FUNCTION search_form TO PUBLIC',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks EXECUTE ON FUNCTION search_form(text): start a process',
    refused: null,
    ready: LACKS,
  },
  'a right on a sequence that was revoked': {
    harm: 'REVOKE USAGE ON SEQUENCE users_id_seq FROM portal_app',
    mend: 'GRANT USAGE ON SEQUENCE users_id_seq TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks USAGE ON SEQUENCE users_id_seq: start a process',
    refused: null,
    ready: LACKS,
  },
  'a right on a schema that was revoked': {
    harm: 'REVOKE USAGE ON SCHEMA game FROM portal_app',
    mend: 'GRANT USAGE ON SCHEMA game TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks USAGE ON SCHEMA game: start a process',
    refused: null,
    ready: LACKS,
  },
  'a right that somebody gave to the role': {
    harm: 'GRANT UPDATE ON ledger_entry TO portal_app; GRANT UPDATE ON delivery TO portal_app',
    mend: 'REVOKE UPDATE ON ledger_entry FROM portal_app',
    name: 'rights',
    diagnosed:
      'warning the portal’s role may do more than the migrations let it (UPDATE ON delivery, UPDATE ON ledger_entry): start a process of the portal, which takes it back',
    refused: null,
    ready: READY,
  },
  'a right that somebody gave to all': {
    harm: 'GRANT DELETE ON audit_log TO PUBLIC',
    mend: 'REVOKE DELETE ON audit_log FROM PUBLIC',
    name: 'rights',
    diagnosed:
      'warning the portal’s role may do more than the migrations let it (DELETE ON audit_log): start',
    refused: null,
    ready: READY,
  },
  'rights by another role': {
    harm: 'GRANT pg_write_all_data TO @portal',
    mend: 'REVOKE pg_write_all_data FROM @portal',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs REVOKE pg_write_all_data FROM @portal',
    refused:
      'PostgreSQL does not let the role of DATABASE_URL do this: REVOKE pg_write_all_data FROM @portal (…); let a superuser run it once',
    ready: READY,
  },
  'a right that somebody gave on': {
    harm: 'CREATE ROLE third_@db; GRANT DELETE ON audit_log TO third_@db WITH GRANT OPTION; SET ROLE third_@db; GRANT DELETE ON audit_log TO portal_app; RESET ROLE',
    mend: 'REVOKE DELETE ON audit_log FROM third_@db CASCADE; DROP ROLE third_@db',
    name: 'rights',
    diagnosed: 'warning the portal’s role may do more than the migrations let it (DELETE ON audit_log)',
    refused:
      'the portal’s role "@portal" may do more than the migrations let it (DELETE ON audit_log): let a superuser take it back from whoever gave it, and that role out of the roles that it has this from, then start again',
    ready: READY,
  },
  'a right on a table of another owner': {
    harm: 'ALTER TABLE posts OWNER TO @superuser; REVOKE ALL ON posts FROM portal_app, @owner',
    mend: 'ALTER TABLE posts OWNER TO @owner; GRANT SELECT, INSERT, UPDATE, DELETE ON posts TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks ',
    refused: 'PostgreSQL does not let the role of DATABASE_URL do this: GRANT ',
    ready: LACKS,
  },
  'a role of the portal that may not log in': {
    harm: 'ALTER ROLE @portal NOLOGIN',
    mend: 'ALTER ROLE @portal LOGIN',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" LOGIN PASSWORD \'…\'',
    refused: null,
    ready: NOT_LET_IN,
  },
  'a role of the portal with another password': {
    harm: `ALTER ROLE @portal PASSWORD 'another'`,
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" PASSWORD \'…\'',
    refused: null,
    ready: NOT_LET_IN,
  },
  'a role of the portal whose password has expired': {
    harm: `ALTER ROLE @portal VALID UNTIL '2020-01-01'`,
    mend: `ALTER ROLE @portal VALID UNTIL 'infinity'`,
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" VALID UNTIL \'infinity\'',
    refused: null,
    ready: NOT_LET_IN,
  },
  'a role of the portal that is no member any more': {
    harm: 'REVOKE portal_app FROM @portal GRANTED BY @owner',
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs GRANT portal_app TO "@portal"',
    refused: null,
    ready: LACKS,
  },
  'an owner that may not log in': {
    harm: 'ALTER ROLE @owner NOLOGIN',
    mend: 'ALTER ROLE @owner LOGIN',
    name: 'database',
    diagnosed: 'error PostgreSQL at @server does not let the role "@owner" in: create the role with LOGIN',
    refused: 'PostgreSQL at @server does not let the role "@owner" in: create the role with LOGIN',
    ready: READY,
  },
  'an owner that may not connect': {
    harm: 'REVOKE CONNECT ON DATABASE @db FROM PUBLIC, @owner',
    mend: 'GRANT CONNECT ON DATABASE @db TO PUBLIC, @owner',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server does not let the role "@owner" into the database "@db": let a superuser run GRANT CONNECT ON DATABASE "@db" TO "@owner"',
    refused: 'PostgreSQL at @server does not let the role "@owner" into the database "@db"',
    ready: READY,
  },
  'a database that lets nobody in': {
    harm: 'ALTER DATABASE @db ALLOW_CONNECTIONS false',
    mend: 'ALTER DATABASE @db ALLOW_CONNECTIONS true',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server lets nobody into the database "@db": let a superuser run ALTER DATABASE "@db" ALLOW_CONNECTIONS true',
    refused: 'PostgreSQL at @server lets nobody into the database "@db"',
    isBeside: true,
    ready: NOT_LET_IN,
  },
  'a database that lets too few in': {
    harm: 'ALTER DATABASE @db CONNECTION LIMIT 0',
    mend: 'ALTER DATABASE @db CONNECTION LIMIT -1',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server lets in too few connections of the role "@owner" and the database "@db": run ALTER ROLE or ALTER DATABASE … CONNECTION LIMIT -1',
    refused: 'PostgreSQL at @server lets in too few connections of the role "@owner" and the database "@db"',
    ready: { status: 'unavailable', reason: 'no-connection' },
  },
  'an owner that lets too few in': {
    harm: 'ALTER ROLE @owner CONNECTION LIMIT 0',
    mend: 'ALTER ROLE @owner CONNECTION LIMIT -1',
    name: 'database',
    diagnosed: 'error PostgreSQL at @server lets in too few connections of the role "@owner"',
    refused: 'PostgreSQL at @server lets in too few connections of the role "@owner"',
    ready: READY,
  },
  'a schema that a newer program changed': {
    harm: `INSERT INTO schema_migration VALUES ('9999-newer.sql', 'x', now(), 'contract')`,
    mend: `DELETE FROM schema_migration WHERE name = '9999-newer.sql'`,
    name: 'schema',
    diagnosed:
      'error the database is ahead of this program: migration 9999-newer.sql changed what this program relies on; start the newer program',
    refused: 'the database is ahead of this program: migration 9999-newer.sql',
    ready: READY,
  },
  'a database of a demo': {
    harm: `UPDATE installation SET value = 'demo' WHERE name = 'mode'`,
    mend: `UPDATE installation SET value = 'live' WHERE name = 'mode'`,
    name: 'mode',
    diagnosed: 'error this database was made with DEMO=1, here DEMO is 0: load the portal’s settings',
    refused: 'this database was made with DEMO=1, here DEMO is 0',
    ready: READY,
  },
  'an owner without a right on its own table': {
    harm: 'REVOKE INSERT ON ledger_entry FROM @owner',
    mend: 'GRANT INSERT ON ledger_entry TO @owner',
    name: 'rights',
    diagnosed:
      'error the owner of the tables lacks INSERT ON ledger_entry, so that functions that run in its name fail: start a process of the portal, which gives it these again',
    refused: null,
    ready: LACKS,
  },
  'an owner without its sequence': {
    harm: 'REVOKE ALL ON SEQUENCE users_id_seq FROM @owner',
    mend: 'GRANT ALL ON SEQUENCE users_id_seq TO @owner',
    name: 'rights',
    diagnosed: 'error the owner of the tables lacks SELECT, UPDATE ON SEQUENCE users_id_seq, so that',
    refused: null,
    ready: LACKS,
  },
  'an owner with another search_path': {
    harm: 'ALTER ROLE @owner SET search_path = game',
    mend: 'ALTER ROLE @owner RESET search_path',
    name: 'rights',
    diagnosed:
      'error the search_path of the role "@owner" is game, which does not begin with public: run ALTER ROLE "@owner" RESET search_path and ALTER DATABASE',
    refused: 'the search_path of the role "@owner" is game, which does not begin with public',
    ready: READY,
  },
  'a database with another search_path': {
    harm: 'ALTER DATABASE @db SET search_path = game, public',
    mend: 'ALTER DATABASE @db RESET search_path',
    name: 'rights',
    diagnosed: 'error the search_path of the role "@owner" is game, public, which does not begin with public',
    refused: 'the search_path of the role "@owner" is game, public, which does not begin with public',
    ready: READY,
  },
  'a role of the portal with another search_path': {
    harm: 'ALTER ROLE @portal SET search_path = game',
    mend: 'ALTER ROLE @portal RESET search_path',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" RESET search_path',
    refused: null,
    ready: { status: 'read-only', reason: 'refused' },
  },
  'a role of the portal whose statements may take no time': {
    harm: 'ALTER ROLE @portal SET statement_timeout = 1',
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" SET statement_timeout',
    refused: null,
    ready: null,
  },
  'a role of the portal with another statement_timeout in this database': {
    harm: 'ALTER ROLE @portal IN DATABASE @db SET statement_timeout = 1',
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" IN DATABASE "@db" RESET statement_timeout',
    refused: null,
    ready: null,
  },
  'an index that is not valid': {
    harm: `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_pkey'::regclass`,
    mend: `UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'users_pkey'::regclass`,
    name: 'indexes',
    diagnosed: 'error not valid: users_pkey: run REINDEX INDEX users_pkey as the owner',
    refused: null,
    stays: true,
    ready: READY,
  },
}
