import { type AnswerOf, type BodyOf } from '#contract/endpoint.ts'
import { type getRankingName, nicknameKey, type setRankingName } from '#contract/ranking.ts'
import { assertNicknameFree } from '#server/modules/accounts/index.ts'
import { recordChoice } from '#server/modules/consents/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, sqlState } from '#server/platform/db/transaction.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import {
  deleteNickname,
  eraseFromRankings,
  exportNickname,
  exportRanking,
  selectNickname,
  upsertNickname,
} from './people.queries.ts'

export const personalRanking: PersonalPart = {
  lists: { ranking: exportRanking, ranking_nickname: exportNickname },
  erase: eraseFromRankings,
}

/** Each change of mind is recorded for good. */
export const NAMES_PER_PLAYER = sharedLimit('ranking name player', 20, 86_400)

export const nicknameTaken = () => invalidField('nickname', 'Biệt danh này đã có người dùng')

const nicknameShort = () => invalidField('nickname', 'Biệt danh có ít nhất 3 chữ cái hoặc chữ số')

const nicknameUnclear = () =>
  invalidField('nickname', 'Biệt danh chỉ gồm chữ cái, chữ số và dấu cách giữa các từ')

type Name = AnswerOf<typeof getRankingName>

export const readRankingName = async (db: Db, userId: string): Promise<Name> => ({
  nickname: await selectNickname(db, userId),
})

/** Shows a player in the rankings of recharges by a nickname, or, with null, no longer. */
export async function chooseRankingName(
  { db, limits }: PlatformDeps,
  userId: string,
  { nickname: typed }: BodyOf<typeof setRankingName>,
): Promise<Name> {
  await limits.consume(NAMES_PER_PLAYER, userId)
  const nickname = typed
  const key = nickname === null ? null : nicknameKey(nickname)
  if (nickname !== null && key === null) throw nicknameUnclear()
  if (key !== null && key.length < LETTERS_MIN) throw nicknameShort()
  try {
    await inTransaction(db, async (tx) => {
      if (nickname === null || key === null) await deleteNickname(tx, userId)
      else {
        await assertNicknameFree(tx, { nickname, key })
        await upsertNickname(tx, userId, { nickname, key, skeleton: skeletonOf(nickname) })
      }
      await recordChoice(tx, userId, { subject: 'ranking', given: nickname !== null, source: 'profile' })
    })
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? nicknameTaken() : error
  }
  return { nickname }
}

const LETTERS_MIN = 3

const UNIQUE_VIOLATION = '23505'
