import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startFakeProviders, type FakeProviders } from '#tests/fakes/provider-server.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useFolder } from '#tests/support/folder.ts'
import { aTransfer } from '#tests/support/polled-providers.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { VIETCOMBANK, PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { runCommand } from '#tests/support/processes.ts'
import { aPlayer } from '#tests/support/players.ts'
import { emptyDatabase } from '#tests/support/postgres.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

const TOKEN = 'sepay-token-of-the-restored'

const portal = useTestApp()
const folder = useFolder()
let bank: FakeProviders
beforeAll(async () => {
  bank = await startFakeProviders({
    sepayToken: TOKEN,
    cassoToken: '',
    momo: { partnerCode: '', accessKey: '', secretKey: '' },
    payos: { clientId: '', apiKey: '', checksumKey: PAYMENT_KEYS.payos },
  })
})
afterAll(() => bank.close())

test(
  'transfers since a backup are found again: credited to an order it had, for an operator without one, once',
  { timeout: 120_000 },
  async () => {
    await openAccounts(portal)
    const player = await aPlayer(portal)
    const pay = async (memo: string) => {
      const { id, ref } = aTransfer(bank, { account: VIETCOMBANK.number, memo, bookedAt: new Date() })
      const notification = aNotification({ id, referenceCode: ref, content: memo })
      expect(await deliver(portal, notification)).toMatchObject({ status: 200 })
    }
    await pay((await anOrder(portal, player)).memo)
    const retained = await anOrder(portal, player)
    const file = join(folder, 'backup')
    await backupDatabase(portal.ownerUrl, { file, key: null })
    await pay(retained.memo)
    await pay((await anOrder(portal, player)).memo)

    const empty = await emptyDatabase()
    try {
      const environment = { SEPAY_API_TOKEN: TOKEN, SEPAY_BASE_URL: bank.url }
      const restored = await runCommand(empty, ['restore', file], environment)
      expect(restored).toMatchObject({ code: 0, errors: '' })
      const days = [...restored.output.matchAll(/npm run portal -- reconcile-providers (\S+)/g)]
      expect(days.length).toBeGreaterThan(0)
      const log = openLog('fatal')
      const db = openDatabase({ url: await openAppRole(empty.ownerUrl, log), log, connectionsMax: 1 })
      try {
        // Twice: what is found again counts once.
        for (const [, day = ''] of [...days, ...days])
          await runCommand(empty, ['reconcile-providers', day], environment)
        const transfers = await db
          .selectFrom('bank_transaction as b')
          .leftJoin('payment_order as o', 'o.id', 'b.order_id')
          .select(['b.bank_ref', 'b.state', 'o.code'])
          .orderBy('b.id')
          .execute()
        const refs = bank.transfers.map(({ ref }) => ref)
        expect(transfers.map(({ bank_ref }) => bank_ref).toSorted()).toEqual(refs.toSorted())
        const stateOf = (ref: string | null | undefined) => transfers.find(({ bank_ref }) => bank_ref === ref)
        expect(stateOf(refs[1])).toMatchObject({ state: 'credited', code: retained.code })
        expect(stateOf(refs[2])).toMatchObject({ state: 'review', code: null })
        await expectReconciled({ db })
      } finally {
        await db.destroy()
      }
    } finally {
      await empty.drop()
    }
  },
)
