import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { seedCategories } from './categories.ts'
import { headOf } from './heads.ts'
import { demoLogin, seedPlayers } from './players.ts'
import { seedPosts } from './posts.ts'
import { seedRivals } from './rivals.ts'
import { seedServers } from './servers.ts'
import { pages } from '#contract/pages.ts'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { seedSettings } from './settings.ts'

const publicFile = (path: string): string => fileURLToPath(new URL(`../public/${path}`, import.meta.url))
/** A letter only Vietnamese needs: any vowel under a mark, or đ. */
const isMarked = /[\u00c0-\u01b0\u1ea0-\u1ef9]/
const words = (html: string): string[] =>
  html
    .replace(/<[^>]+>/g, ' ')
    .trim()
    .split(/\s+/)
const duplicates = (names: string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index)

/** Tags left open, or closed in the wrong order. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [whole, closing, name] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (name === undefined || name === 'img') continue
    if (closing === '') open.push(name)
    else if (open.pop() !== name) wrong.push(whole)
  }
  return [...open, ...wrong]
}

async function sizeOf(path: string): Promise<string> {
  const { width, height, format } = await sharp(publicFile(path)).metadata()
  return `${format} ${width}x${height}`
}

describe('the demo posts', () => {
  test('at least twelve posts fill four categories', () => {
    expect(seedPosts.length).toBeGreaterThanOrEqual(12)
    expect(seedCategories).toHaveLength(4)
    const perCategory = seedCategories.map(
      ({ slug }) => seedPosts.filter((post) => post.categories.includes(slug)).length,
    )
    expect(Math.min(...perCategory)).toBeGreaterThanOrEqual(3)
  })

  test('the one about invitations leads to the link, and none has an address typed by hand', () => {
    const inviting = seedPosts.filter(({ content }) => content.includes('Mời bạn bè'))
    expect(inviting.map(({ content }) => content.includes('href="/user/profile"'))).toEqual([true])
    for (const { content } of seedPosts)
      expect(words(content).join(' ')).not.toMatch(/referral_id|\/register/)
  })

  test('slugs, titles and covers are each used once', () => {
    expect(duplicates(seedPosts.map((post) => post.slug))).toEqual([])
    expect(duplicates(seedPosts.map((post) => post.title))).toEqual([])
    expect(duplicates(seedPosts.map((post) => post.cover))).toEqual([])
    expect(duplicates(seedCategories.map((category) => category.slug))).toEqual([])
  })

  test('they are ordered newest first, at least a day apart', () => {
    const ages = seedPosts.map((post) => post.publishedDaysAgo)
    expect(ages).toEqual(ages.toSorted((a, b) => a - b))
    expect(duplicates(ages.map(String))).toEqual([])
  })

  test.each(seedPosts)('“$title” is a whole article in Vietnamese', (post) => {
    expect(words(post.content).length).toBeGreaterThanOrEqual(250)
    expect(words(post.content).length).toBeLessThanOrEqual(600)
    expect(post.content).toBe(post.content.normalize('NFC'))
    const marked = words(post.content).filter((word) => isMarked.test(word))
    expect(marked.length / words(post.content).length).toBeGreaterThan(0.5)
    expect(post.title).toMatch(isMarked)
  })

  test.each(seedPosts)(
    '“$title” is well-formed and points only to pages and pictures of ours',
    async (post) => {
      expect(unbalanced(post.content)).toEqual([])
      for (const [, href] of post.content.matchAll(/href="([^"]*)"/g)) {
        expect(Object.values(pages).map(({ path }) => path as string)).toContain(href)
      }
      const pictures = Array.from(post.content.matchAll(/<img src="([^"]*)" alt="([^"]+)"/g))
      expect(pictures.length).toBeGreaterThan(0)
      for (const [, source] of pictures) expect(await sizeOf(String(source).slice(1))).toBe('webp 640x360')
    },
  )

  test.each(seedPosts)('the cover of “$title” exists in its three sizes', async (post) => {
    expect(await sizeOf(`images/covers/${post.cover}-320.webp`)).toBe('webp 320x180')
    expect(await sizeOf(`images/covers/${post.cover}-640.webp`)).toBe('webp 640x360')
    expect(await sizeOf(`images/covers/${post.cover}-og.jpg`)).toBe('jpeg 1200x630')
  })

  test('every post names categories that exist', () => {
    const slugs = seedCategories.map((category) => category.slug)
    for (const post of seedPosts) {
      expect(post.categories.length).toBeGreaterThan(0)
      for (const slug of post.categories) expect(slugs).toContain(slug)
    }
  })
})

describe('the demo players', () => {
  test.each(seedPlayers)('$username satisfies the rules of registration', (player) => {
    expect(player.username).toMatch(/^[a-z0-9]{6,20}$/)
    expect(player.password).toMatch(/^.{6,20}$/)
    expect(player.password).not.toContain(player.username)
    expect(player.phone).toMatch(/^0[35789]\d{8}$/)
    expect(seedServers.map((server) => server.id)).toContain(player.serverId)
    expect(Number.isSafeInteger(player.recharged)).toBe(true)
    expect(player.recharged).toBeGreaterThanOrEqual(player.activated ? 20_000 : 0)
  })

  test('no two share a username, a phone or an e-mail', () => {
    expect(duplicates(seedPlayers.map((player) => player.username))).toEqual([])
    expect(duplicates(seedPlayers.map((player) => player.phone))).toEqual([])
    expect(duplicates(seedPlayers.flatMap((player) => player.email ?? []))).toEqual([])
  })

  test('every character has a class, a level and a head of its class that has a picture', () => {
    const characters = [...seedPlayers.flatMap((player) => player.characters), ...seedRivals]
    expect(duplicates(characters.map((each) => each.name))).toEqual([])
    expect(new Set(characters.map((each) => each.classId)).size).toBe(7)
    for (const each of characters) {
      expect([0, 1, 2, 3].map((appearance) => headOf(each.classId, appearance))).toContain(each.head)
      expect(existsSync(publicFile(`images/heads/Small${each.head}.png`))).toBe(true)
      expect(each.level).toBeGreaterThan(0)
    }
  })

  test('the login shown at the start belongs to a player who can afford the largest exchange', () => {
    const shown = seedPlayers.find((player) => player.username === demoLogin.username)
    expect(shown?.password).toBe(demoLogin.password)
    expect(shown?.activated).toBe(true)
    expect((shown?.recharged ?? 0) - 20_000).toBeGreaterThanOrEqual(500_000)
    expect(shown?.characters.length).toBeGreaterThan(0)
  })

  test('the situations the pages must handle are all there', () => {
    expect(seedPlayers.some((player) => player.ban !== undefined)).toBe(true)
    expect(seedPlayers.some((player) => !player.activated && player.recharged >= 20_000)).toBe(true)
    expect(seedPlayers.some((player) => player.recharged === 0)).toBe(true)
    expect(seedPlayers.some((player) => player.activated && player.characters.length === 0)).toBe(true)
    expect(seedPlayers.some((player) => player.activated && player.recharged - 20_000 < 10_000)).toBe(true)
  })
})

describe('the demo settings', () => {
  test('each obeys the rule of its key', () => {
    for (const [key, value] of Object.entries(seedSettings)) {
      const definition = settingDefinitions[key as SettingKey]
      expect(definition, key).toBeDefined()
      expect(definition.schema.safeParse(value).success, key).toBe(true)
    }
  })

  test('every link is a full https address', () => {
    const links = Object.entries(seedSettings).filter(
      ([key]) => settingDefinitions[key as SettingKey].kind === 'link',
    )
    expect(links.length).toBeGreaterThanOrEqual(18)
    for (const [, value] of links) {
      expect(new URL(value).protocol).toBe('https:')
      expect(new URL(value).hostname).toMatch(/\.example\.com$/)
    }
  })
})
