import { expect, test } from 'vitest'
import type { GameName } from '#contract/operator/game/names.ts'
import { startGameJobs } from '#server/modules/game-bridge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aBuyer } from '#tests/support/gift-counter.ts'
import { anOperator } from '#tests/support/operators.ts'

const portal = useTestApp()

/** The game describes itself, as each minute. */
async function hear(told: object): Promise<void> {
  const ownDescription = { ...portal.deps.game.ownDescription!, ...told }
  const deps = { ...portal.deps, game: { ...portal.deps.game, ownDescription } }
  await Promise.all(startGameJobs(deps, async () => new Date()).map((loop) => loop.stop()))
}

test('names of the game go before those the portal came with, and an operator’s before both', async () => {
  const { token } = await anOperator(portal, 'owner')
  const { player } = await aBuyer(portal, 0)
  const info = async () => {
    const { body } = await portal.call('GET', '/api/exchange', { token: player.token })
    return body.characters[0].info
  }
  const shown = async () => {
    const { className, headName } = await info()
    return [className, headName]
  }
  const { classId, head, className: usual } = await info()
  const [code, id] = [String(classId), `class:${classId}`]
  const listed = async (): Promise<GameName[]> => {
    const filter = encodeURIComponent(JSON.stringify({ id: [id, `head:${head}`] }))
    return (await portal.call('GET', `/api/operator/game-names?filter=${filter}`, { token })).body
  }
  const rename = async (name: string | null) => {
    const updated_at = (await listed()).find((row) => row.id === id)?.updated_at ?? null
    const names = [{ kind: 'class', code, name, short_name: null, updated_at }]
    const body = { names, reason: 'Đặt tên theo game' }
    expect((await portal.call('PUT', '/api/operator/game-names', { token, body })).status).toBe(200)
  }

  await hear({ classes: { [code]: usual }, heads: [head] })
  expect(await shown()).toEqual([usual, null])
  expect(await listed()).toMatchObject([
    { kind: 'head', name: null },
    { name: usual, told_name: usual },
  ])

  await hear({ classes: { [code]: 'Trái Đất' }, heads: [head], head_names: { [head]: 'Áo vàng' } })
  expect(await shown()).toEqual(['Trái Đất', 'Áo vàng'])
  expect(await listed()).toMatchObject([
    { id, name: null, told_name: 'Trái Đất', updated_at: expect.any(String) },
    { kind: 'head', name: null, told_name: 'Áo vàng' },
  ])

  await rename('Song kiếm')
  expect(await shown()).toEqual(['Song kiếm', 'Áo vàng'])
  await hear({})
  expect(await shown()).toEqual(['Song kiếm', null])
  await rename(null)
  expect(await shown()).toEqual([`Trường ${code}`, null])
  await hear({ classes: { [code]: 'Trái Đất' } })
  expect(await shown()).toEqual(['Trái Đất', null])
})

test('what is heard again changes nothing that pages keep', async () => {
  const version = async () => {
    const rows = portal.db.selectFrom('content_version').select('version').where('kind', '=', 'game-names')
    return Number((await rows.executeTakeFirst())?.version ?? 0)
  }
  await hear({ classes: { 1: 'Namek', 2: 'Xayda' } })
  const before = await version()
  await hear({ classes: { 2: 'Xayda', 1: 'Namek' } })
  expect(await version()).toBe(before)
  await hear({ classes: { 1: 'Namek' } })
  expect(await version()).toBe(before + 1)
})
