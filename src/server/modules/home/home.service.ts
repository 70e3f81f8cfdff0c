import type { AnswerOf } from '#contract/endpoint.ts'
import { getOwnHome } from '#contract/home/own-home.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Api } from '#server/platform/http/api.ts'
import { nextMatchOf } from '#server/modules/tournaments/index.ts'
import { ownerId, selectOwnHome } from './home.queries.ts'

export function registerOwnHome(api: Api, { db }: Pick<PlatformDeps, 'db'>): void {
  api.serve(getOwnHome, ({ identity }) => readOwnHome(db, identity.userId))
}

async function readOwnHome(db: PlatformDeps['db'], userId: string): Promise<AnswerOf<typeof getOwnHome>> {
  const { character, game, ...rest } = await selectOwnHome(db, userId, nextMatchOf(ownerId))
  const names = await readGameNames(db)
  return {
    ...rest,
    character: character && { ...character, head_name: names.headName(character.head) },
    game: game && {
      at: new Date(game.at).toISOString(),
      servers: game.servers.map(({ id, name, online }) => ({ id, name, online: online ?? null })),
    },
  }
}
