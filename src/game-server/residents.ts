import { headOf } from '#seeds/heads.ts'
import { seedPlayers } from '#seeds/players.ts'
import { seedRivals } from '#seeds/rivals.ts'
import type { Character } from './world.ts'

/** The portal's usernames, in lower case; other accounts do not exist. */
const ACCOUNT = /^[a-z0-9]{5,20}$/
/** A character for every class they may have chosen, the newcomer's among them. */
const STARTERS = [
  { word: 'truong', classId: 1, levels: [40, 90] },
  { word: 'anh', classId: 4, levels: [15, 39] },
  { word: 'tan', classId: 0, levels: [1, 9] },
] as const

type Wishes = Pick<Character, 'serverId' | 'account' | 'name' | 'head' | 'classId' | 'level'> &
  Partial<Pick<Character, 'luong' | 'yen'>>

const character = (id: string, wishes: Wishes): Character => ({
  id,
  luong: 0,
  yen: 0,
  items: [],
  ...wishes,
})

/** FNV-1a: the same name always comes to the same number, also after a restart. */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** The people the demo portal knows, and their rivals in the rankings. Their ids never change. */
export function residents(): Character[] {
  const players = seedPlayers.flatMap(({ username, serverId, characters }) =>
    characters.map((known) => ({ ...known, serverId, account: username.toLowerCase() })),
  )
  return [...players, ...seedRivals].map((known) => character(`cu-${known.serverId}-${known.name}`, known))
}

/** Three characters for any account a portal may have: the same ones every time it is asked. */
export function newcomers(serverId: string, account: string): Character[] {
  if (!ACCOUNT.test(account) || !/^\d{1,4}$/.test(serverId)) return []
  return STARTERS.map(({ word, classId, levels: [from, to] }) => {
    const name = `${word}${account}`
    const chance = spread(`${serverId}:${name}`)
    const level = from + (chance % (to - from + 1))
    const head = headOf(classId, chance >>> 8)
    const id = `moi-${serverId}-${classId}-${account}`
    return character(id, { serverId, account, name, head, classId, level, yen: level * 10_000 })
  })
}
