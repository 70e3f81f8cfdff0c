import type { Catalogue } from './catalogue.ts'
import type { DatabaseGuard } from './guard.ts'

const nameOf = (thing: string) => thing.replace(/^game\./, '')

/** What the portal's role could do with a right on a table that it has not. */
const ATTEMPTS: Record<string, (table: string) => string> = {
  SELECT: (table) => `SELECT count(*) FROM ${table}`,
  INSERT: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
  DELETE: (table) => `DELETE FROM ${table} WHERE false`,
  TRUNCATE: (table) => `TRUNCATE ${table} CASCADE`,
  TRIGGER: (table) =>
    `CREATE TRIGGER guard_probe BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  REFERENCES: (table) => `CREATE TABLE public.guard_probe (id integer REFERENCES ${table})`,
}

const SEQUENCE_ATTEMPTS: Record<string, (sequence: string) => string> = {
  USAGE: (sequence) => `SELECT nextval('${sequence}')`,
  SELECT: (sequence) => `SELECT last_value FROM ${sequence}`,
  UPDATE: (sequence) => `SELECT setval('${sequence}', 1000000)`,
}

/** `SELECT, UPDATE (state, reason)` as the names of rights, with the columns where it is not the whole table. */
function heldRights(text: string): Map<string, string[] | null> {
  return new Map(
    [...text.matchAll(/([A-Z]+)(?: \(([^)]*)\))?/g)].map(([, right = '', columns]) => [
      right,
      columns === undefined ? null : columns.split(', '),
    ]),
  )
}

function refusedOnTable(table: string, text: string, columns: readonly string[]): DatabaseGuard[] {
  const held = heldRights(text)
  const whole = Object.entries(ATTEMPTS).filter(([right]) => held.get(right) !== null)
  const updatable = held.get('UPDATE')
  const fixed = updatable === null ? [] : columns.filter((column) => !updatable?.includes(column))
  const refusal = `42501 permission denied for table ${nameOf(table)}`
  return [
    ...whole.map(([right, attempt]) => ({
      name: `portal_app: no ${right} on ${table}`,
      removal: `GRANT ${right} ON ${table} TO portal_app`,
      // Who refers to a table has made one.
      preparation: right === 'REFERENCES' ? 'GRANT CREATE ON SCHEMA public TO portal_app' : '',
      attempt: attempt(table),
      as: 'portal' as const,
      refusal,
    })),
    ...fixed.map((column) => ({
      name: `portal_app: no UPDATE (${column}) on ${table}`,
      removal: `GRANT UPDATE (${column}) ON ${table} TO portal_app`,
      attempt: `UPDATE ${table} SET ${column} = DEFAULT WHERE false`,
      as: 'portal' as const,
      refusal,
    })),
  ]
}

const refusedOnSequence = (sequence: string, text: string): DatabaseGuard[] =>
  Object.entries(SEQUENCE_ATTEMPTS)
    .filter(([right]) => !heldRights(text).has(right))
    .map(([right, attempt]) => ({
      name: `portal_app: no ${right} on ${sequence}`,
      removal: `GRANT ${right} ON SEQUENCE ${sequence} TO portal_app`,
      attempt: attempt(sequence),
      as: 'portal' as const,
      refusal: `42501 permission denied for sequence ${nameOf(sequence)}`,
    }))

/** Rights on everything else than tables and sequences. */
const otherRights: DatabaseGuard[] = [
  ...['public', 'game'].map((schema) => ({
    name: `portal_app: no CREATE in ${schema}`,
    removal: `GRANT CREATE ON SCHEMA ${schema} TO portal_app`,
    attempt: `CREATE TABLE ${schema}.guard_probe (id integer)`,
    as: 'portal' as const,
    refusal: `42501 permission denied for schema ${schema}`,
  })),
  {
    name: 'portal_app: no temporary tables, which would stand before the real ones',
    removal: `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO portal_app', current_database()); END $$`,
    attempt: `CREATE TEMPORARY TABLE ledger_account (id integer)`,
    as: 'portal',
    refusal: '42501 permission denied to create temporary tables in database',
  },
  {
    name: 'other roles: no CREATE in public',
    removal: `GRANT CREATE ON SCHEMA public TO PUBLIC`,
    attempt: `CREATE TABLE guard_probe (id integer)`,
    as: 'stranger',
    refusal: '42501 permission denied for schema public',
  },
]

/** Every right that the portal’s role has not. */
export const rightGuards = ({ rights, sequenceRights, columns }: Catalogue): DatabaseGuard[] => [
  ...Object.entries(rights).flatMap(([table, text]) =>
    refusedOnTable(table, text, columns[table]?.split(' ') ?? []),
  ),
  ...Object.entries(sequenceRights).flatMap(([sequence, text]) => refusedOnSequence(sequence, text)),
  ...otherRights,
]
