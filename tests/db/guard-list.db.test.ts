import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as catalogue from '#tests/mutation/database/catalogue.ts'
import { CHECKS } from '#tests/mutation/database/checks.ts'
import { definerNames } from '#tests/mutation/database/definers.ts'
import { ruleGuards } from '#tests/mutation/database/rules.ts'
import { triggerGuards } from '#tests/mutation/database/triggers.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

/*
 * The lists of guards are those of the migrated database: what a migration adds is listed, with an attempt that only it
 * refuses (CONTRIBUTING, "Adding a guard"), and what it drops is no longer listed. Keys, references, NOT NULL and rights
 * are read from the database; `contract.db.test.ts` compares them with `sql/schema.gen.sql`.
 */
let owner: Client
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase()
  owner = new Client({ connectionString: database.ownerUrl })
  await owner.connect()
  drop = async () => {
    await owner.end()
    await database.drop()
  }
})
afterAll(() => drop())

const subjects = (guards: readonly { name: string }[]) =>
  [...new Set(guards.map(({ name }) => name.replace(/:.*/, '')))].sort()

test('CHECK constraints', async () => {
  expect(Object.keys(CHECKS).sort()).toEqual(await catalogue.readChecks(owner))
})

test('nobody else has rights', async () => {
  expect(await catalogue.readForeignRights(owner)).toEqual([])
})

test('triggers', async () => {
  expect(subjects(triggerGuards)).toEqual(await catalogue.readTriggers(owner))
})

test('functions with the owner’s rights', async () => {
  const functions = await catalogue.readFunctions(owner)
  const definers = functions.filter(({ isDefiner }) => isDefiner)
  expect(definerNames).toEqual(definers.map(({ name }) => name))
})

test('functions with the owner’s rights look into the temporary schema last', async () => {
  const definers = (await catalogue.readFunctions(owner)).filter(({ isDefiner }) => isDefiner)
  expect(definers.length).toBeGreaterThan(10)
  expect(definers.filter(({ endsInTemp }) => !endsInTemp).map(({ name }) => name)).toEqual([])
})

test('functions that read tables name those of their own schema', async () => {
  const functions = await catalogue.readFunctions(owner)
  expect(functions.filter(({ isBound }) => !isBound).map(({ name }) => name)).toEqual([])
})

test('functions that refuse something', async () => {
  const refusing = (await catalogue.readFunctions(owner)).filter(({ raises }) => raises)
  const known = [...subjects(ruleGuards), ...OF_TRIGGERS]
  expect(refusing.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

/** Functions of triggers that have one condition: without the trigger it is gone. */
const OF_TRIGGERS = [
  'campaign_terms_stay',
  'refuse_another_draw_secret',
  'refuse_another_signature',
  'refuse_change',
  'refuse_change_of_closed_list',
  'refuse_draw_without_beacon',
  'refuse_erased_user',
]
