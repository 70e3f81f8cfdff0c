import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { dayText, idText, moment, SERVER_ID } from './fields.ts'
import { boardCount } from './game/board-counts.ts'
import { chosenName } from './names.ts'
import { shownName } from './shown-name.ts'

export const rankingRowSchema = z.object({
  rank: z.int(),
  /** In a ranking of recharges the nickname; nothing else of the player is shown there. */
  name: shownName,
  /** Null in a ranking of recharges. */
  server_id: z.nullable(z.string()),
  /** Null where the portal knows no character of the player. */
  class_id: z.nullable(z.int()),
  class_name: z.nullable(shownName),
  /** The same where there is little room. */
  class_short_name: z.nullable(shownName),
  level: z.nullable(z.int()),
  /** The portrait of the first three and of the player's own row, where the portal knows the character. */
  head: z.nullable(z.int()),
  head_name: z.nullable(shownName),
  value: z.number(),
  /** The rank at the end of the day before, in the same part of the ranking; null where it is not known. */
  previous_rank: z.nullable(z.int()),
  is_mine: z.boolean(),
})

export const listGroups = endpoint('GET', '/groups', 'user', {
  summary: 'The rankings there are, in their order.',
  answer: z.array(
    z.object({
      id: idText,
      name: shownName,
      source: z.enum(['game', 'recharge']),
      description: z.string(),
      /** What the values are: the head of their column. */
      value_name: shownName,
      /** The one server it is about; null: all of them. */
      server_id: z.nullable(z.string()),
      /** As the game says of its board; null where it does not, and of recharges. */
      counts: z.nullable(boardCount),
    }),
  ),
})

export const getGroupEntries = endpoint('GET', '/groups/{id}/entries', 'user', {
  summary:
    'One ranking as it was read last, or as it was at the end of a day of the last 90: of all, of one server, one class, or both. The first 100 rows, and the player’s best one wherever it stands. Never waits for the game.',
  params: z.object({ id: z.string() }),
  query: z.object({
    server: z.optional(z.string().check(z.regex(SERVER_ID, 'Máy chủ không hợp lệ'))),
    class: z.optional(
      z.pipe(z.string().check(z.regex(/^\d{1,6}$/, 'Trường không hợp lệ')), z.transform(Number)),
    ),
    day: z.optional(dayText),
  }),
  answer: z.object({
    /** When it was read; null before the first time, and for a day of which nothing is stored. */
    updated_at: z.nullable(moment),
    /** The first day that is stored; null when none is. */
    first_day: z.nullable(z.string()),
    /** Whether ranks can be compared with those of the day before. */
    has_previous: z.boolean(),
    /** The classes that are in it. */
    classes: z.array(z.object({ id: z.int(), name: shownName })),
    rows: z.array(rankingRowSchema),
    mine: z.optional(rankingRowSchema),
    own: z.object({
      /**
       * `ranked`: see `mine`. `beyond`: behind the last rank that is read. `hidden`: the player did not choose to be shown
       * among the recharges. `excluded`: operators and banned players are in no ranking.
       */
      state: z.enum(['ranked', 'beyond', 'hidden', 'excluded', 'none']),
      /** The player's strongest one, while it is beyond. */
      character: z.nullable(
        z.object({
          name: shownName,
          server_id: z.string(),
          class_id: z.int(),
          class_name: z.nullable(shownName),
          class_short_name: z.nullable(shownName),
          level: z.int(),
          head: z.int(),
          head_name: z.nullable(shownName),
        }),
      ),
    }),
  }),
  errors: ['NOT_FOUND'],
})

const rankingName = z.object({ nickname: z.nullable(shownName) })

export const getRankingName = endpoint('GET', '/user/ranking-name', 'user', {
  summary: 'By what name the player is shown in the rankings of recharges; null: they are not.',
  answer: rankingName,
})

export const setRankingName = endpoint('PUT', '/user/ranking-name', 'user', {
  summary:
    'Shows the player in the rankings of recharges by a nickname, or, with null, no longer. Records the consent, or its end.',
  body: z.object({
    nickname: z.nullable(chosenName('biệt danh', { min: 3, max: 20 })),
  }),
  answer: rankingName,
})

const VIETNAMESE_MARKS = /[\u0300\u0301\u0302\u0303\u0306\u0309\u031b\u0323]/g

/**
 * By what two nicknames are compared: in lower case, without marks and blanks. Null for a text with anything but letters of
 * Vietnamese, digits, and single blanks between words.
 */
export function nicknameKey(text: string): string | null {
  const plain = text.normalize('NFD').replace(VIETNAMESE_MARKS, '').replaceAll('đ', 'd').replaceAll('Đ', 'D')
  return /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(plain) ? plain.replaceAll(' ', '').toLowerCase() : null
}

export type RankingRow = z.output<typeof rankingRowSchema>
