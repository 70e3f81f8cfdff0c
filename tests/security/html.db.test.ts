import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import vectors from '#server/platform/html/xss.vectors.json' with { type: 'json' }
import { contentChanges } from '#server/domain/content.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { anOperator } from '#tests/support/operators.ts'
import { refreshRankings } from '#server/modules/ranking/refresh.service.ts'
import { shownText } from '#contract/name-texts.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { sendRequest, type Answer } from './send-request.ts'
import { aTournament, ban, useWorld } from './cast.ts'
import { hazardsInPage, hazardsInPiece } from './hazards.ts'

const world = useWorld({ overrides: { withPages: true } })
let categoryId: string

beforeAll(async () => {
  categoryId = await world.aCategory()
})

let owner: TestPlayer
// Calls per session are limited; each test has its own session.
beforeEach(async () => {
  owner = await anOperator(world.portal, 'owner')
})

let acts = 0

/** Acts are limited for each operator, so that every hundred have an owner of their own. */
async function act(method: string, path: string, body: unknown): Promise<Answer> {
  acts += 1
  if (acts % 100 === 0) owner = await anOperator(world.portal, 'owner')
  const given = body === undefined ? undefined : { reason: 'Thử chữ lạ', ...(body as object) }
  return sendRequest(world.portal, { method, path: `/api/operator${path}`, token: owner.token, body: given })
}

async function pageFaults(path: string): Promise<string[]> {
  const { status, text, headers } = await sendRequest(world.portal, { method: 'GET', path })
  if (status >= 500) return [`${path} answers ${status}`]
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  return hazardsInPage(text, headers['content-security-policy'] ?? '').map((fault) => `${path}: ${fault}`)
}

let writers = 0

/**
 * Stores a twelfth of the vectors, another one in each test, and reads each back; `write` returns the pages that
 * show it. The sanitiser and the post as a whole are tried with all of them in tests of their own.
 */
async function faultsOfMany(write: (vector: string) => Promise<string[]>): Promise<string[]> {
  const faults: string[] = []
  writers += 1
  for (const vector of everyNth(vectors, 12, writers)) {
    for (const path of await write(vector))
      for (const fault of await pageFaults(path)) faults.push(`${JSON.stringify(vector)} in ${fault}`)
  }
  return faults
}

/** Text that no rule stops is taken, anything else is refused; nothing breaks. */
function expectTaken({ status, text }: Answer): void {
  expect([200, 201, 422], text).toContain(status)
}

/** As somebody who has just read it. */
async function putSetting(key: string, value: string): Promise<Answer> {
  const filter = encodeURIComponent(JSON.stringify({ id: key }))
  const { body } = await act('GET', `/settings?filter=${filter}`, undefined)
  const [current] = body as { updated_at: string | null }[]
  return act('PUT', '/settings', {
    values: { [key]: value },
    updated_at: current?.updated_at ?? null,
  })
}

const LONG = { timeout: 240_000 }

describe('hostile text from operators', LONG, () => {
  test('security row 26: the corpus is large', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(220)
  })

  test('security row 26: is harmless as title, excerpt and content of a post', async () => {
    let taken = 0
    const faults = await faultsOfMany(async (vector) => {
      const answer = await act('POST', '/posts', {
        title: `x ${vector}`.slice(0, 200),
        excerpt: vector.slice(0, 400),
        content: `<p>Đầu</p>${vector}<p>Cuối</p>`,
        category_ids: [categoryId],
      })
      expectTaken(answer)
      if (answer.status !== 201) return []
      expect(hazardsInPiece(answer.body.content)).toEqual([])
      taken += 1
      return [`/post/${answer.body.id}`]
    })
    expect(taken).toBeGreaterThan(17)
    expect(faults.slice(0, 5)).toEqual([])
    expect([...(await pageFaults('/home')), ...(await pageFaults(`/category/${categoryId}`))]).toEqual([])
  })

  test('security row 26: is harmless in a legal text', async () => {
    let version = 1
    const faults = await faultsOfMany(async (vector) => {
      const content = `<p>Bản ${version}</p>${vector}<p>Cuối</p>`
      const answer = await act('POST', '/legal/terms/versions', { content, version })
      expectTaken(answer)
      if (answer.status !== 201) return []
      expect(hazardsInPiece(answer.body.content)).toEqual([])
      version += 1
      return ['/terms']
    })
    // The others hold pictures of ours.
    expect(version).toBeGreaterThan(17)
    expect(faults.slice(0, 5)).toEqual([])
  })

  test('security row 26: is harmless in feeds, where it is XML', async () => {
    for (const path of ['/feed.xml', '/sitemap.xml']) {
      const { text, headers } = await sendRequest(world.portal, { method: 'GET', path })
      expect(headers['content-type']).toMatch(/xml; charset=utf-8$/)
      expect(text).not.toMatch(/<(?:script|svg|img|iframe|a |object|x:)/i)
    }
  })

  test('security row 26: is harmless as title and description of a category', async () => {
    const faults = await faultsOfMany(async (vector) => {
      const body = { title: `x ${vector}`.slice(0, 200), description: vector.slice(0, 500) }
      expectTaken(await act('PUT', `/categories/${categoryId}`, body))
      return [`/category/${categoryId}`]
    })
    expect(faults.slice(0, 5)).toEqual([])
  })

  test('security row 26: is harmless as name, description and greeting of the site', async () => {
    const faults = await faultsOfMany(async (vector) => {
      for (const key of ['site_name', 'site_description', 'home_intro'])
        expectTaken(await putSetting(key ?? '', vector.slice(0, 200)))
      return ['/home']
    })
    expect(faults.slice(0, 5)).toEqual([])
    // What was tried is what was stored: none was refused for something beside the text.
    expect((await putSetting('home_intro', '<script>alert(1)</script>')).status).toBe(200)
  })

  test('security row 26: is refused or harmless as a link, a number, an account or a file', async () => {
    const keys = [
      'fanpage_link',
      'zalo_box_link_1',
      'android_auto',
      'android_auto_file',
      'ios',
      'pixel_id',
      'active_fee',
      'exchange_amounts',
      'bank_account_acb',
    ]
    for (const [index, vector] of everyNth(vectors, 10).entries()) {
      for (const key of ['fanpage_link', keys[index % keys.length]])
        expectTaken(await putSetting(key ?? '', vector))
      expectTaken(await putSetting('group_link', `https://${vector}`))
    }
    for (const path of ['/home', '/community', '/download', '/exchange'])
      expect(await pageFaults(path)).toEqual([])
  })

  test('security row 26: is harmless as name of a tournament or a team', async () => {
    const faults = await faultsOfMany(async (vector) => {
      const text = vector.replaceAll('\u0000', '')
      const name = `x ${text}`.slice(0, 60)
      const id = await aTournament(world.portal, {
        name: `x ${text}`.slice(0, 120),
        prize: `x ${text}`.slice(0, 300),
        how_to_register: `x ${text}`.slice(0, 1_000),
        teams: [name, 'Hắc Điêu'],
        current_round: 1,
        results: [[null]],
      })
      return [`/tournament/${id}`]
    })
    expect(faults.slice(0, 5)).toEqual([])
    expect(await pageFaults('/tournaments')).toEqual([])
  })
})

describe('hostile text from players and from the game', LONG, () => {
  const toPlayer = async (path: string, { token }: TestPlayer, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await sendRequest(world.portal, { method, path, token, body })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    return answer
  }

  test('security row 26: no username or e-mail takes it', async () => {
    for (const [index, vector] of vectors.entries()) {
      const body = { username: 'tenhople9', password: 'mat-khau-12', phone: '0987654321' }
      for (const field of everyNth(['username', 'phone', 'email', 'server_id'], 4, index)) {
        const path = '/api/auth/register'
        const answer = await sendRequest(world.portal, {
          method: 'POST',
          path,
          body: { ...body, [field]: vector },
        })
        expect([field, answer.status]).toEqual([field, 422])
      }
    }
  })

  test('security row 26: names of characters leave as data only', async () => {
    const { portal } = world
    const { game } = portal.deps
    const names = vectors.map((vector) => vector.replaceAll('\u0000', '').slice(0, 64))
    const listCharacters = game.listCharacters.bind(game)
    try {
      for (let from = 0; from < names.length; from += 90) {
        const some = names.slice(from, from + 90)
        game.listCharacters = async () =>
          some.map((name, index) => ({ id: `${from + index}`, name, head: 1, classId: 1, level: 9 }))
        const buyer = await aPlayer(portal, { coins: 20_000, isActivated: true })
        const { body } = await toPlayer('/api/exchange', buyer)
        const shown = (body as { characters: { name: string }[] }).characters.map(({ name }) => name)
        expect(shown.sort()).toEqual(some.map(shownText).sort())
        const bought = await toPlayer('/api/exchange/store', buyer, {
          character_id: `${from}`,
          amount: 10_000,
        })
        expect(bought.status).toBe(200)
        for (const path of ['/api/user/deliveries', '/api/user/transactions']) await toPlayer(path, buyer)
      }
    } finally {
      game.listCharacters = listCharacters
    }
  })

  test('security row 26: names in rankings and the reason of a ban leave as data only', async () => {
    const { portal, player, groupId } = world
    const { game } = portal.deps
    const rankings = game.rankings.bind(game)
    const names = vectors.map((vector) => vector.replaceAll('\u0000', '').slice(0, 64))
    game.rankings = async () =>
      names.map((name, index) => ({ name, classId: 1, level: 9, value: 1_000 - index, account: 'aido' }))
    try {
      await refreshRankings(portal.deps, { ageSeconds: 0 })
      const { body } = await toPlayer(`/api/groups/${groupId}/entries`, player)
      expect(body.rows.length).toBe(100)
      expect(names).toContain(body.rows[0].name)
    } finally {
      game.rankings = rankings
    }
    for (const reason of everyNth(names, 6)) {
      await ban(portal, player, reason)
      const { body } = await toPlayer('/api/auth/verify', player, { access_token: player.token })
      expect(body.ban_reason).toBe(reason)
    }
  })
})

describe('rows that came into a table another way', LONG, () => {
  /** Pages are cached until their content changes; a change by SQL does not notify the cache. */
  const forgetPages = () => inTransaction(world.portal.db, (tx) => contentChanges(tx, 'settings'))

  test('security row 27: a post planted in its table is still harmless', async () => {
    const id = await world.aPost()
    const { db } = world.portal
    const faults = await faultsOfMany(async (vector) => {
      const text = vector.replaceAll('\u0000', '')
      const title = `x ${text}`.slice(0, 200)
      await db
        .updateTable('posts')
        .set({ title, excerpt: text, content: text, cover: `/images/x"${text}` })
        .where('id', '=', id)
        .execute()
      await forgetPages()
      const { body } = await sendRequest(world.portal, { method: 'GET', path: `/api/posts/${id}` })
      expect(hazardsInPiece(body.content)).toEqual([])
      return [`/post/${id}`, '/home']
    })
    expect(faults.slice(0, 5)).toEqual([])
  })

  test('security row 27: settings planted in their table run nothing and break no page', async () => {
    const pages = {
      fanpage_link: '/community',
      android_auto: '/download',
      pixel_id: '/home',
      ios: '/download',
    }
    const { db } = world.portal
    const faults: string[] = []
    for (const vector of [
      ...everyNth(vectors, 12),
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
    ]) {
      const value = vector.replaceAll('\u0000', '')
      const rows = [...Object.keys(pages), 'site_name', 'home_intro'].map((key) => ({ key, value }))
      await db
        .insertInto('settings')
        .values(rows)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
      await forgetPages()
      for (const path of new Set(Object.values(pages)))
        for (const fault of await pageFaults(path)) faults.push(`${JSON.stringify(vector)} in ${fault}`)
    }
    expect(faults.slice(0, 5)).toEqual([])
  })
})
