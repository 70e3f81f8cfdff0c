import { readFile } from 'node:fs/promises'
import { DatabaseError, type Client } from 'pg'

/**
 * One guard of the database and the attempt to do what it forbids. The result of the attempt decides (`refusal`):
 * without the guard it must end differently.
 */
export type DatabaseGuard = {
  name: string
  /** SQL of the owner that takes this guard away and nothing else. */
  removal: string
  /** SQL of the owner that brings about what the attempt needs: rows in a state, other guards out of the way. */
  preparation?: string
  attempt: string
  /** As whom it is attempted; as the owner when left out. */
  as?: 'portal' | 'stranger'
  refusal: string
}

/** Fills an empty, migrated database with one row of everything, and makes the roles of the attempts. */
export async function prepareAttempts(owner: Client): Promise<void> {
  await owner.query(await readFile(new URL('world.sql', import.meta.url), 'utf8'))
}

/**
 * How the attempt ends, with or without the guard: `done`, or PostgreSQL's code and what it names. Everything happens in
 * one transaction that is rolled back, so that one database serves all guards.
 */
export async function outcomeOf(owner: Client, guard: DatabaseGuard, isRemoved = false): Promise<string> {
  await owner.query('BEGIN')
  try {
    if (isRemoved) await owner.query(guard.removal)
    await owner.query(guard.preparation ?? '')
    return await outcomeOfAttempt(owner, guard)
  } finally {
    await owner.query('ROLLBACK')
  }
}

const ROLES = {
  portal: 'SET LOCAL ROLE portal_app;',
  stranger:
    'CREATE ROLE guard_stranger; GRANT USAGE ON SCHEMA public TO guard_stranger; SET LOCAL ROLE guard_stranger;',
}

async function outcomeOfAttempt(owner: Client, { attempt, as }: DatabaseGuard): Promise<string> {
  await owner.query(as ? ROLES[as] : '')
  try {
    await owner.query(attempt)
    await owner.query('SET CONSTRAINTS ALL IMMEDIATE')
    return 'done'
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const { code, schema, table, constraint, column, message } = error
    const place = schema === 'public' ? table : `${schema}.${table}`
    // Names of databases and ids of rows differ from run to run.
    const text = message.replace(/ (?:[0-9a-f-]{36}|\d+|"portal_\w+")/g, '')
    return `${code} ${table === undefined ? text : `${place}.${constraint ?? column}`}`
  }
}
