import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { verifyAuditChain } from './audit.service.ts'
import { append, nextDay, tamper, whileTampered } from './testing/tampering.ts'
import { lastTrailCheck, sealTrail, verifyAndStore, verifyDaily } from './trail.service.ts'

/*
 * Every way to change the trail that takes the owner's rights: rows 'old', of the first chain, and '1' to '3' are sealed,
 * twice; '4' and '5' are not. Rows with a number are in one line.
 */
const portal = useTestApp()
const HASH = 'sha256(prev_hash || audit_canonical(a))'

beforeAll(async () => {
  await tamper(
    portal,
    `INSERT INTO audit_log (seq, at, actor_kind, action, subject_type, subject_id, details, prev_hash, hash)
       SELECT 1, now(), 'system', 'tests.note', 'test', 'old', '{}', hash, '' FROM audit_head;
     UPDATE audit_log a SET hash = ${HASH} WHERE subject_id = 'old';
     UPDATE audit_head SET seq = a.seq, hash = a.hash FROM audit_log a WHERE subject_id = 'old'`,
  )
  await append(portal, '1', '2', '3')
  for (let day = 1; day <= 2; day++) {
    await sealTrail(portal.deps)
    await nextDay(portal)
  }
  await append(portal, '4', '5')
})

async function faultsFound(since?: string): Promise<string[]> {
  const { faults } = await verifyAuditChain(portal.db, since)
  return faults.map(({ fault }) => fault).sort()
}

/** Writes a row again, with some of its values changed. */
const copyOf = (id: string, change: string) =>
  `INSERT INTO audit_log SELECT (jsonb_populate_record(a, jsonb_build_object(${change}))).* FROM audit_log a
    WHERE subject_id = '${id}'`
const LINE = `(SELECT line FROM audit_log WHERE subject_id = '1')`
/** A line whose rows are all chained again, however they were changed, and its head: but for the seals it would fit. */
const CHAINED_ANEW = `DO $$
  DECLARE
    a audit_log;
    last bytea := sha256(convert_to('cong-ninja audit line ' || ${LINE}, 'UTF8'));
  BEGIN
    FOR a IN SELECT * FROM audit_log WHERE line = ${LINE} ORDER BY seq LOOP
      a.prev_hash := last;
      last := sha256(last || audit_canonical(a));
      UPDATE audit_log SET prev_hash = a.prev_hash, hash = last WHERE seq = a.seq;
      UPDATE audit_line SET seq = a.seq, hash = last WHERE line = a.line;
    END LOOP;
  END $$`

test('an untouched trail has nothing wrong, read whole or from a seal on', async () => {
  const [whole, since] = [await verifyAuditChain(portal.db), await verifyAuditChain(portal.db, '1')]
  expect([whole.faults, since.faults]).toEqual([[], []])
  expect([whole.seal, since.rows]).toEqual(['2', 2])
  expect(whole.rows).toBeGreaterThanOrEqual(6)
})

describe('what was changed shows', () => {
  test.each<[what: string, statements: string, faults: string[]]>([
    ['a row', `UPDATE audit_log SET reason = 'khác' WHERE subject_id = '2'`, ['hash']],
    ['a row of the first chain', `UPDATE audit_log SET reason = 'khác' WHERE subject_id = 'old'`, ['hash']],
    [
      'a row together with its hash',
      `UPDATE audit_log SET reason = 'khác' WHERE subject_id = '2';
       UPDATE audit_log a SET hash = ${HASH} WHERE subject_id = '2'`,
      ['link'],
    ],
    ['a row that was taken out', `DELETE FROM audit_log WHERE subject_id = '2'`, ['link']],
    ['the end of a line that was cut off', `DELETE FROM audit_log WHERE subject_id = '5'`, ['head']],
    [
      'the end of the first chain that was cut off',
      `DELETE FROM audit_log WHERE subject_id = 'old'`,
      ['head', 'seal', 'seal'],
    ],
    [
      'a line that was cut off where it was sealed, and its head put back',
      `DELETE FROM audit_log WHERE subject_id IN ('3', '4', '5');
       UPDATE audit_line l SET seq = a.seq, hash = a.hash FROM audit_log a WHERE subject_id = '2' AND a.line = l.line`,
      ['seal', 'seal'],
    ],
    [
      'a line that was taken away whole, and its head begun again',
      `DELETE FROM audit_log WHERE line = ${LINE};
       UPDATE audit_line SET seq = 0, hash = sha256(convert_to('cong-ninja audit line ' || line, 'UTF8'))`,
      ['seal', 'seal'],
    ],
    [
      'a sealed line chained again',
      `DELETE FROM audit_log WHERE subject_id = '2'; ${CHAINED_ANEW}`,
      ['seal', 'seal'],
    ],
    ['a row put between', copyOf('2', `'seq', a.seq - 1000`), ['hash', 'link', 'link']],
    ['a row put behind', copyOf('5', `'seq', a.seq + 1000`), ['head']],
    ['a row put behind the first chain', copyOf('old', `'seq', 2`), ['head']],
    ['a row put into no line', copyOf('5', `'seq', a.seq + 1000, 'line', 16`), ['head']],
    [
      'a row put into a line that had none',
      copyOf('5', `'line', (a.line + 8) & 15, 'seq', a.seq + 1000`),
      ['head'],
    ],
    [
      'two rows that changed places',
      `UPDATE audit_log SET seq = seq + 1000000 WHERE subject_id IN ('1', '2');
       UPDATE audit_log SET seq = (SELECT sum(seq) FROM audit_log WHERE subject_id IN ('1', '2')) - seq - 1000000
        WHERE subject_id IN ('1', '2')`,
      ['hash', 'hash', 'link', 'link', 'link'],
    ],
    ['a seal', `UPDATE audit_seal SET at = at - interval '1 hour' WHERE number = 1`, ['seal']],
    [
      'a seal together with its hash',
      `UPDATE audit_seal SET at = at - interval '1 hour' WHERE number = 1;
       UPDATE audit_seal s SET hash = sha256(prev_hash || audit_seal_canonical(s)) WHERE number = 1`,
      ['seal'],
    ],
    ['a day whose seal was taken out', `DELETE FROM audit_seal WHERE number = 1`, ['seal']],
    ['the last day, taken away', `DELETE FROM audit_seal WHERE number = 2`, ['seal']],
    [
      'a day put behind',
      `INSERT INTO audit_seal SELECT 3, day + 9, at, heads, hash, hash FROM audit_seal WHERE number = 2`,
      ['seal'],
    ],
    [
      'a personal part',
      `UPDATE audit_personal SET content = '{"address": "198.51.100.1"}'
      WHERE seq = (SELECT seq FROM audit_log WHERE subject_id = '4')`,
      ['personal'],
    ],
  ])('%s', async (_, statements, faults) => {
    expect(await whileTampered(portal, statements, () => faultsFound())).toEqual(faults)
  })

  test('but not a personal part that was erased', async () => {
    expect(await whileTampered(portal, 'DELETE FROM audit_personal', () => faultsFound())).toEqual([])
  })
})

describe('the daily check', () => {
  const isDue = (change = '') =>
    tamper(portal, `UPDATE stored_check SET started_at = now() - interval '25 hours' ${change}`)
  const stored = async () =>
    portal.db.selectFrom('stored_check').select(['verified_seal', 'faults']).executeTakeFirstOrThrow()
  const OLD = `UPDATE audit_log SET reason = 'khác' WHERE subject_id = '1'`

  test('reads on from the seal that the last one knew, and all of it every week', async () => {
    await verifyAndStore(portal.db)
    expect(await stored()).toEqual({ verified_seal: '2', faults: '0' })
    await append(portal, '6')
    const daily = async (change?: string) => {
      await isDue(change)
      await verifyDaily(portal.deps)
      return (await lastTrailCheck(portal.db)).faults
    }
    expect(
      await whileTampered(portal, `UPDATE audit_log SET reason = 'khác' WHERE subject_id = '6'`, daily),
    ).toBe(1)
    expect(await stored()).toEqual({ verified_seal: '0', faults: '1' })
    expect(await whileTampered(portal, OLD, daily), 'after faults all is read').toBe(1)
    expect(await daily()).toBe(0)
    expect(await whileTampered(portal, OLD, daily), 'what was read is not read again').toBe(0)
    const aWeekLater = () => daily(`, whole_at = now() - interval '8 days'`)
    expect(await whileTampered(portal, OLD, aWeekLater)).toBe(1)
    expect(await daily()).toBe(0)
  })

  test('one a day, of one seal a day, whose hash is in the log', async () => {
    await verifyDaily(portal.deps)
    const seals = async () => {
      await sealTrail(portal.deps)
      return portal.db.selectFrom('audit_seal').select(['number', 'hash']).orderBy('number').execute()
    }
    const made = await seals()
    expect(made.map(({ number }) => number)).toEqual(['1', '2', '3'])
    expect(await seals()).toEqual(made)
    expect(portal.logged()).toContain(made[2]?.hash.toString('hex'))
  })
})

test('a long line is read part by part', async () => {
  // In transactions of their own, since a head that one of them moves thousands of times gets slow; in one line, since it is
  // one connection.
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  for (let from = 1; from < 2_500; from += 500)
    await owner.query(
      `SELECT audit_append('system', NULL, 'tests.many', 'test', 'many-' || n, NULL, '{}', NULL, NULL, NULL)
         FROM generate_series(${from}, ${from} + 499) n`,
    )
  await owner.end()
  expect(await verifyAuditChain(portal.db, '2')).toMatchObject({ rows: 2_503, faults: [] })
  const ends = `subject_id IN ('many-1', 'many-1990', 'many-2010', 'many-2500')`
  const changed = await whileTampered(
    portal,
    `UPDATE audit_log SET reason = 'khác' WHERE ${ends}`,
    faultsFound,
  )
  expect(changed).toEqual(['hash', 'hash', 'hash', 'hash'])
})
