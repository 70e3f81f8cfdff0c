import * as z from 'zod/mini'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { seedCategories } from '#seeds/categories.ts'
import { seedGroups } from '#seeds/groups.ts'
import { seedPlayers } from '#seeds/players.ts'
import { seedPosts } from '#seeds/posts.ts'
import { seedRivals } from '#seeds/rivals.ts'
import { seedServers as demoServers } from '#seeds/servers.ts'
import { seedSettings } from '#seeds/settings.ts'
import { membersOf, seedTournaments } from '#seeds/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { seedCharacters, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { importNews, type News } from '#server/modules/posts/index.ts'
import { importGroups } from '#server/modules/ranking/index.ts'
import { insertServersIfNone, type Server, usualServerName } from '#server/modules/servers/index.ts'
import { insertMissingNames, insertMissingSettings } from '#server/modules/settings/index.ts'
import { type Beacon, type DemoTournament, playDemoTournament } from '#server/modules/tournaments/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { validate } from '#server/platform/http/validate.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { type DemoParts, openDemoParts, seedPlayer } from './demo-players.ts'
import { onlyOneAtATime } from './seeding.queries.ts'

const DAY_MS = 86_400_000

type DemoDeps = PlatformDeps & { game: GameBridge; beacon: Beacon }

/** Makes the demo data, or what an earlier start left undone of it. */
export async function seedDemoData(deps: DemoDeps): Promise<void> {
  const now = deps.clock.now()
  const parts = await openDemoParts(deps)
  await parts.make('settings', (tx) => insertMissingSettings(tx, demoSettings()))
  await parts.make('news', (tx) => importNews(tx, demoNews(now)))
  await parts.make('rankings', (tx) => importGroups(tx, seedGroups))
  await parts.make('names', (tx) => insertMissingNames(tx, boardNames()))
  if (!parts.isMade('tournaments')) await makeTournaments(deps, parts)
  for (const player of seedPlayers) await seedPlayer(deps, player, parts)
  if (parts.isMade('rivals')) return
  // The game skips the names it has, so a repeat after a crash in between is harmless.
  for (const { account, serverId, ...character } of seedRivals) {
    await seedCharacters(deps.game, { username: account, serverId, characters: [character] })
  }
  await parts.make('rivals')
}

/** Checked by the rules that an operator's values are. */
function demoSettings(): { key: string; value: string }[] {
  return Object.entries(seedSettings).map(([key, value]) => {
    invariant(Object.hasOwn(settingDefinitions, key), `the demo sets ${key}, which is a setting`)
    const { schema } = settingDefinitions[key as SettingKey]
    return { key, value: validate(z.object({ [key]: schema }), { [key]: value })[key] as string }
  })
}

/** Each board of the game is called what its ranking is. */
const boardNames = () =>
  seedGroups.flatMap((group) =>
    group.source === 'game' ? [{ kind: 'board' as const, code: group.board, name: group.name }] : [],
  )

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

/** In several transactions, by one process at a time: each act is one of its own, as an operator's is. */
async function makeTournaments(deps: DemoDeps, parts: DemoParts): Promise<void> {
  await onlyOneAtATime(deps.db, async () => {
    if ((await openDemoParts(deps)).isMade('tournaments')) return
    for (const tournament of demoTournaments(deps.clock.now())) await playDemoTournament(deps, tournament)
    await parts.make('tournaments')
  })
}

function demoTournaments(now: Date): DemoTournament[] {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString()
  return seedTournaments.map(({ registrationInDays, competitionInDays, levels, classes, ...seed }) => {
    const { teams, results, ...fields } = seed
    return {
      fields: {
        ...fields,
        registration_start_at: inDays(registrationInDays),
        competition_start_at: inDays(competitionInDays),
        min_level: levels[0],
        max_level: levels[1],
        allowed_classes: [...classes],
      },
      teams: teams.map((name, index) => ({ name, members: membersOf(name, index, fields.type) })),
      isClosed: competitionInDays < 0,
      results,
    }
  })
}

/** The server of new accounts until operators name others. */
const LIVE_SERVERS = [{ id: '1', name: usualServerName('1') }]

export type SeedingDeps = DemoDeps & { config: { isDemo: boolean } }

/**
 * Gives a new installation its servers, and a demo its data. Called at every start: what is there already, even in part
 * after a start that was cut short, is left as it is.
 */
export async function seedInstallation(
  deps: SeedingDeps,
  { withDemoData = deps.config.isDemo }: { withDemoData?: boolean } = {},
): Promise<void> {
  await seedServers(deps, deps.config.isDemo ? demoServers : LIVE_SERVERS)
  if (withDemoData) await seedDemoData(deps)
}

/** A portal without a game server could not register anybody. Servers that an operator renamed or removed stay so. */
export async function seedServers({ db }: PlatformDeps, servers: readonly Server[]): Promise<void> {
  await inTransaction(db, (tx) => insertServersIfNone(tx, servers))
}
