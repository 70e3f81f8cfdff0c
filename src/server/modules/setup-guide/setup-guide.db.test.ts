import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { SetupState, SetupStep } from '#contract/operator/setup-guide.ts'
import { LEGAL_KINDS } from '#contract/legal.ts'
import { startGameJobs } from '#server/modules/game-bridge/index.ts'
import { recordRun } from '#server/platform/backup/backup-run.ts'
import { aNotification, aTransfer, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import { anEmail, proveEmail } from '#tests/support/mail.ts'
import { anOperator, anOperatorWithoutProof, type TestOperator } from '#tests/support/operators.ts'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { aPlayer } from '#tests/support/players.ts'
import { runningPromotion, stopPromotions } from '#tests/support/promotions.ts'
import { inHours, setSetting } from '#tests/support/settings.ts'
import { postNotification, aTransfer as aNewTransfer } from '#tests/support/signed-notifications.ts'

const { portal, server, aPlayerWithEmail } = useMailingApp()
let owner: TestOperator

beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
})

const step = async (name: SetupStep): Promise<Pick<SetupState, 'is_done' | 'missing'>> => {
  const { body } = await portal.call('GET', '/api/operator/setup-guide', { token: owner.token })
  const { is_done, missing } = (body as SetupState[]).find((one) => one.name === name) as SetupState
  return { is_done, missing }
}
const DONE = { is_done: true, missing: [] }
const open = (...missing: string[]) => ({ is_done: false, missing })

test('a second owner counts once his second factor is on, and an operator of another role never', async () => {
  await anOperatorWithoutProof(portal, 'cashier')
  expect(await step('second-owner')).toEqual(open())
  const second = await anOperatorWithoutProof(portal, 'owner')
  expect(await step('second-owner')).toEqual(DONE)
  await asOwner(portal, 'UPDATE second_factor SET confirmed_at = NULL WHERE user_id = $1', [second.id])
  expect(await step('second-owner')).toEqual(open())
})

test('mail arrives when an operator has proved an address, and not when a player has', async () => {
  await aPlayerWithEmail()
  expect(await step('mail')).toEqual(open())
  await proveEmail(portal, server, { player: { ...owner, token: owner.playerToken }, email: anEmail() })
  expect(await step('mail')).toEqual(DONE)
})

test('each account that orders name is tried by money of its own that was credited', async () => {
  await openAccounts(portal)
  await setSetting(portal, 'bank_account_acb', '')
  await setSetting(portal, 'bank_account_vietcombank', '')
  // Without an account there is nothing that could be tried.
  expect(await step('receiving-accounts')).toEqual(open())
  await openAccounts(portal)
  // Money that nobody was credited for is no trial.
  await aTransfer(portal, { accountNumber: ACB.number })
  expect(await step('receiving-accounts')).toEqual(open('Vietcombank', 'ACB'))
  const pay = async (channel: number, accountNumber: string) => {
    const { code } = await anOrder(portal, await aPlayer(portal), { channel, amount: 10_000 })
    await deliver(portal, aNotification({ content: code, transferAmount: 10_000, accountNumber }))
  }
  await pay(2, VIETCOMBANK.number)
  expect(await step('receiving-accounts')).toEqual(open('ACB'))
  await pay(3, ACB.number)
  expect(await step('receiving-accounts')).toEqual(DONE)
  // Another account in its place has to be tried again.
  const moved = JSON.stringify({ ...VIETCOMBANK, number: '0011000000099' })
  await setSetting(portal, 'bank_account_vietcombank', moved)
  expect(await step('receiving-accounts')).toEqual(open('Vietcombank'))
})

test('a provider is heard by a notice of its own, not by a list, nor by another’s', async () => {
  const { missing } = await step('payment-notices')
  expect(missing).toContain('casso')
  await sql`INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number)
    VALUES ('casso', 'of-a-list', 'pulled', 'in', 1000, ${ACB.number})`.execute(portal.db)
  await postNotification(portal, 'sepay', aNewTransfer())
  expect(await step('payment-notices')).toEqual(open(...missing.filter((name) => name !== 'sepay')))
  await postNotification(portal, 'casso', aNewTransfer())
  const left = missing.filter((name) => name !== 'sepay' && name !== 'casso')
  expect(await step('payment-notices')).toEqual(open(...left))
  for (const name of left)
    await sql`INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number)
      VALUES (${name}, 'a-notice', 'valid', 'in', 1000, ${ACB.number})`.execute(portal.db)
  expect(await step('payment-notices')).toEqual(DONE)
})

test('the game answers while its description is not older than some minutes', async () => {
  expect(await step('game')).toEqual(open())
  await Promise.all(startGameJobs(portal.deps, async () => new Date()).map((loop) => loop.stop()))
  expect(await step('game')).toEqual(DONE)
  await asOwner(portal, `UPDATE game_description SET read_at = read_at - interval '10 minutes'`)
  expect(await step('game')).toEqual(open())
})

test('legal texts are the owner’s once each kind in force was published by an operator', async () => {
  expect(await step('legal-texts')).toEqual(open(...LEGAL_KINDS))
  for (const [at, kind] of LEGAL_KINDS.entries()) {
    const { version } = (await portal.call('GET', `/api/operator/legal/${kind}`, { token: owner.token })).body
    const body = { content: '<p>Văn bản của chúng tôi</p>', version, reason: 'Bản đầu' }
    await portal.call('POST', `/api/operator/legal/${kind}/versions`, { token: owner.token, body })
    const left = LEGAL_KINDS.slice(at + 1)
    expect(await step('legal-texts')).toEqual(left.length === 0 ? DONE : open(...left))
  }
})

test('a backup counts with its restore, each once it has succeeded', async () => {
  expect(await step('backup')).toEqual(open('backup', 'restore-test'))
  await recordRun(portal.ownerUrl, 'backup', null)
  await recordRun(portal.ownerUrl, 'restore-test', new Error('no room'))
  expect(await step('backup')).toEqual(open('restore-test'))
  await recordRun(portal.ownerUrl, 'restore-test', null)
  await recordRun(portal.ownerUrl, 'backup', new Error('no room'))
  expect(await step('backup')).toEqual(DONE)
})

test('a post counts once players can read it', async () => {
  const write = (title: string, more: object) =>
    portal.call('POST', '/api/operator/posts', {
      token: owner.token,
      body: { title, content: '<p>Mở cổng</p>', reason: 'Bài đầu', ...more },
    })
  await write('Bản nháp', { published: false })
  const planned = await write('Ngày mai', { published: true, publish_at: inHours(24) })
  expect(planned.status).toBe(201)
  expect(await step('first-post')).toEqual(open())
  await write('Mở cổng', { published: true })
  expect(await step('first-post')).toEqual(DONE)
})

test('a promotion counts once it was started', async () => {
  expect(await step('first-promotion')).toEqual(open())
  const { id } = await runningPromotion(portal)
  expect(await step('first-promotion')).toEqual(DONE)
  await stopPromotions(portal)
  expect(await step('first-promotion')).toEqual(DONE)
  // What was stopped may never have been started.
  for (const state of ['stopped', 'planned']) {
    await asOwner(
      portal,
      `UPDATE promotion SET state = $2, started_at = NULL, stopped_at = CASE $2 WHEN 'stopped' THEN now() END,
              stopped_by = CASE $2 WHEN 'stopped' THEN made_by END WHERE id = $1`,
      [id, state],
    )
    expect(await step('first-promotion')).toEqual(open())
  }
})
