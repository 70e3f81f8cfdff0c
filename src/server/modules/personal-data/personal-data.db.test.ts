import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { dumpDatabase } from '#tests/support/database-dump.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { erasePerson, StillOpen } from './index.ts'

const portal = useTestApp()

describe('an erasure is refused', () => {
  const refusal = async (username: string, withBalance = false) => {
    const error: unknown = await erasePerson(portal.deps, { username, withBalance }).catch(
      (thrown: unknown) => thrown,
    )
    return error instanceof StillOpen ? error.matters : error
  }

  test('while money is open, and changes nothing', async () => {
    await openAccounts(portal)
    const buyer = await aPlayer(portal, { coins: 30_000, isActivated: true })
    const [character] = await charactersOf(portal, buyer)
    await buyLuongFor(portal, { player: buyer, character: character as string })
    await anOrder(portal, buyer)
    const read = await dumpDatabase(portal)
    expect(await refusal(buyer.username)).toEqual({ balance: 20_000, order: 1, delivery: 1 })
    expect(await refusal(buyer.username, true)).toEqual({ order: 1, delivery: 1 })
    expect(await dumpDatabase(portal)).toEqual(read)
  })

  test('for an operator, and for a name that nobody has', async () => {
    const owner = await anOperator(portal, 'owner')
    expect(await refusal(owner.username)).toEqual({ role: 1 })
    expect(await refusal('khongcoai')).toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('the portal’s role cannot erase what names others', async () => {
  const { id } = await aPlayer(portal)
  const query = (text: string) => portal.db.executeQuery({ sql: text, parameters: [] } as never)
  await expect(query(`SELECT audit_erase_personal_of(${id}, '{}')`)).rejects.toThrow(/was not erased/)
  await expect(query(`UPDATE users SET username = 'nguoikhac1' WHERE id = ${id}`)).rejects.toThrow(
    /permission denied/,
  )
  await expect(query(`UPDATE delivery SET account = 'da-xoa'`)).rejects.toThrow(/permission denied/)
})
