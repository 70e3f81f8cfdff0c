import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { seedCategories } from '#seeds/categories.ts'
import { seedGroups } from '#seeds/groups.ts'
import { seedPlayers } from '#seeds/players.ts'
import { seedPosts } from '#seeds/posts.ts'
import { seedRivals } from '#seeds/rivals.ts'
import { seedSettings } from '#seeds/settings.ts'
import { seedTournaments } from '#seeds/tournaments.ts'
import { importNews, type News } from '#server/modules/posts/index.ts'
import { importTournaments, type ImportedTournament } from '#server/modules/tournaments/index.ts'
import { importGroups } from '#server/modules/ranking/index.ts'
import { insertMissingSettings } from '#server/modules/settings/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { validate } from '#server/platform/http/validate.ts'
import { invariant } from '#server/platform/invariant.ts'
import * as z from 'zod/mini'
import { madeParts, makePart } from './demo-parts.ts'
import { seedPlayer, seedRival, type PlayerDeps } from './demo-players.ts'

const DAY_MS = 86_400_000

/** Makes the demo world, or what an earlier start left undone of it. */
export async function seedDemoWorld(deps: PlatformDeps & PlayerDeps): Promise<void> {
  const made = await madeParts(deps)
  if (!made.has('settings')) {
    await makePart(deps, 'settings', (tx) => insertMissingSettings(tx, demoSettings()))
  }
  if (!made.has('news')) await makePart(deps, 'news', (tx) => importNews(tx, demoNews(deps.clock.now())))
  if (!made.has('rankings')) await makePart(deps, 'rankings', (tx) => importGroups(tx, seedGroups))
  if (!made.has('tournaments')) {
    await makePart(deps, 'tournaments', (tx) => importTournaments(tx, demoTournaments(deps.clock.now())))
  }
  for (const player of seedPlayers) await seedPlayer(deps, player, made)
  if (!made.has('rivals')) {
    // The game answers for itself and skips the names it has, so a repeat after a crash in between is harmless.
    for (const rival of seedRivals) await seedRival(deps.game, rival)
    await makePart(deps, 'rivals', async () => {})
  }
}

/** Under the rules an operator's values are stored by. */
function demoSettings(): { key: string; value: string }[] {
  return Object.entries(seedSettings).map(([key, value]) => {
    invariant(Object.hasOwn(settingDefinitions, key), `the demo sets ${key}, which is a setting`)
    const { schema } = settingDefinitions[key as SettingKey]
    return { key, value: validate(z.object({ [key]: schema }), { [key]: value })[key] as string }
  })
}

function demoNews(now: Date): News {
  return {
    categories: seedCategories.map(({ slug, title, description }) => ({ key: slug, title, description })),
    posts: seedPosts.map((post) => ({
      title: post.title,
      content: post.content,
      cover: `/images/covers/${post.cover}`,
      new: post.isNew,
      pinned: post.isPinned,
      createdAt: new Date(now.getTime() - post.publishedDaysAgo * DAY_MS),
      categories: post.categories,
    })),
  }
}

function demoTournaments(now: Date): ImportedTournament[] {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  return seedTournaments.map(({ levels, classes, results, ...seed }) => ({
    ...seed,
    registrationStartAt: inDays(seed.registrationInDays),
    competitionStartAt: inDays(seed.competitionInDays),
    minLevel: levels[0],
    maxLevel: levels[1],
    allowedClasses: classes,
    results:
      results?.map((round) =>
        round.map((result) => {
          if (result === null) return null
          const [one, two, winner = one > two ? 1 : 2] = result
          return { wins: [one, two], winner }
        }),
      ) ?? null,
  }))
}
