import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { eraseOldPersonal } from './audit.service.ts'
import { appendAudit, verifyAuditChain } from './audit.service.ts'

let portal: TestApp

beforeEach(async () => {
  portal = await startTestApp()
  for (const id of ['1', '2', '3', '4']) {
    await inTransaction(portal.db, (tx) =>
      appendAudit(tx, {
        actor: { kind: 'system' },
        action: 'tests.note',
        subject: { type: 'test', id },
        reason: 'thử',
        details: { before: null, after: { b: 1, a: ['đ', 2.5] } },
        personal: { phone: '84901234567', address: '203.0.113.9' },
      }),
    )
  }
})
afterEach(() => portal.close())

/** What only somebody with the owner's rights and bad intent can do. */
async function tamper(sql: string): Promise<void> {
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    await owner.query(`ALTER TABLE audit_log DISABLE TRIGGER USER; ${sql}`)
  } finally {
    await owner.end()
  }
}

test('an untouched trail has nothing wrong', async () => {
  expect(await verifyAuditChain(portal.db)).toEqual([])
})

test('a changed row shows', async () => {
  await tamper(`UPDATE audit_log SET details = '{"after": null}' WHERE subject_id = '2'`)
  expect((await verifyAuditChain(portal.db)).map(({ fault }) => fault)).toEqual(['hash'])
})

test('a row changed together with its hash shows in the next one', async () => {
  await tamper(`UPDATE audit_log SET reason = 'khác' WHERE subject_id = '2';
    UPDATE audit_log a SET hash = sha256(prev_hash || audit_canonical(a)) WHERE subject_id = '2'`)
  expect((await verifyAuditChain(portal.db)).map(({ fault }) => fault)).toEqual(['link'])
})

test('a row taken out shows', async () => {
  await tamper(`DELETE FROM audit_personal; DELETE FROM audit_log WHERE subject_id = '3'`)
  expect((await verifyAuditChain(portal.db)).map(({ fault }) => fault).sort()).toEqual(['gap', 'link'])
})

test('a tail cut off shows', async () => {
  await tamper(`DELETE FROM audit_personal; DELETE FROM audit_log WHERE subject_id = '4'`)
  expect((await verifyAuditChain(portal.db)).map(({ fault }) => fault)).toEqual(['head'])
})

test('a personal part that was erased is no fault, a changed one shows', async () => {
  await tamper(`DELETE FROM audit_personal WHERE seq = (SELECT max(seq) FROM audit_personal)`)
  expect(await verifyAuditChain(portal.db)).toEqual([])
  await tamper(`UPDATE audit_personal SET content = '{"address": "198.51.100.1"}'
    WHERE seq = (SELECT min(seq) FROM audit_personal)`)
  expect((await verifyAuditChain(portal.db)).map(({ fault }) => fault)).toEqual(['personal'])
})

test('personal parts are erased after 24 months, and only those', async () => {
  await tamper(`UPDATE audit_log SET at = now() - interval '24 months 1 day' WHERE subject_id IN ('1', '2');
    UPDATE audit_log SET at = now() - interval '23 months' WHERE subject_id = '3'`)
  expect(await eraseOldPersonal(portal.db)).toBe(false)
  const left = portal.db
    .selectFrom('audit_personal')
    .innerJoin('audit_log', 'audit_log.seq', 'audit_personal.seq')
  expect(
    (await left.select('subject_id').orderBy('audit_log.seq').execute()).map((row) => row.subject_id),
  ).toEqual(['3', '4'])
  await expect(portal.db.deleteFrom('audit_personal').execute()).rejects.toThrow(/permission denied/)
})
