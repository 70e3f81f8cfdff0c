import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { moment } from '../../fields.ts'
import { keyed, listQuery, reason, storable, textBetween } from '../fields.ts'
import { permitted } from '../roles.ts'
import { givenTitle } from '../../names.ts'
import { shownName } from '../../shown-name.ts'

/** What the game knows by a code and players by a name. */
export const GAME_NAME_KINDS = ['class', 'head', 'item', 'board'] as const

export type GameNameKind = (typeof GAME_NAME_KINDS)[number]

export const GAME_NAME_WORDS: Record<GameNameKind, string> = {
  class: 'Trường',
  head: 'Chân dung',
  item: 'Vật phẩm',
  board: 'Bảng xếp hạng',
}

/** How a code without a name is shown. */
export const unnamed = (kind: GameNameKind, code: string): string => `${GAME_NAME_WORDS[kind]} ${code}`

/** In one act. */
export const NAMES_AT_ONCE = 200

/** Classes and heads are numbers; a game answers −1 where it does not know one. */
const isCodeOf = (kind: GameNameKind, code: string): boolean =>
  (kind !== 'class' && kind !== 'head') || /^(0|[1-9]\d{0,5})$/.test(code)

const gameNameSchema = z.object({
  /** The kind, a colon and the code. */
  id: z.string(),
  kind: z.enum(GAME_NAME_KINDS),
  code: z.string(),
  /** Null while it has none. */
  name: z.nullable(shownName),
  /** Of a class, where there is little room; null: the name. */
  short_name: z.nullable(shownName),
  /** What the game itself calls it, where it tells. */
  told_name: z.nullable(shownName),
  /** Whether the game describes it. */
  is_described: z.boolean(),
  /** Whether the portal sells or shows it. */
  is_used: z.boolean(),
  updated_at: z.nullable(moment),
})

export type GameName = z.output<typeof gameNameSchema>

const newName = z
  .object({
    kind: z.enum(GAME_NAME_KINDS, 'Loại không hợp lệ'),
    code: textBetween('Vui lòng nhập mã', [1, 'Vui lòng nhập mã'], [64, 'Mã tối đa 64 ký tự']),
    /** Null removes it. */
    name: z.nullable(givenTitle('tên', { max: 60 })),
    short_name: z.nullable(givenTitle('tên ngắn', { max: 20 })),
    /** When it was last changed, as the reader saw it; null: it had no name. */
    updated_at: z.nullable(moment),
  })
  .check(
    z.refine(({ kind, code }) => isCodeOf(kind, code), {
      path: ['code'],
      error: 'Mã của trường và chân dung là số từ 0 đến 999999',
    }),
    z.refine(({ kind, name, short_name }) => short_name === null || (kind === 'class' && name !== null), {
      path: ['short_name'],
      error: 'Chỉ trường đã có tên mới có tên ngắn',
    }),
  )

export type NewGameName = z.output<typeof newName>

export const operatorGameNames = {
  list: endpoint('GET', '/operator/game-names', permitted(['settings.read', 'tournaments.read']), {
    summary:
      'Every code of the game that it describes, that the portal uses or that has a name; those without a name first. `q` is a part of a code or name.',
    query: listQuery(
      ['code'],
      {
        kind: z.optional(z.enum(GAME_NAME_KINDS)),
        unnamed: z.optional(z.boolean()),
        q: z.optional(z.string().check(z.trim(), z.maxLength(64), storable)),
      },
      z.string(),
    ),
    answer: z.array(gameNameSchema),
  }),
  update: endpoint('PUT', '/operator/game-names', permitted('settings.content'), {
    summary: `Sets or removes the names of up to ${NAMES_AT_ONCE} codes, all or none. Players read them within seconds.`,
    body: z.object({
      names: z.array(newName).check(
        z.minLength(1, 'Hãy đổi ít nhất một tên'),
        z.maxLength(NAMES_AT_ONCE, `Mỗi lần đổi tối đa ${NAMES_AT_ONCE} tên`),
        z.refine(
          (names) => new Set(names.map(({ kind, code }) => `${kind}:${code}`)).size === names.length,
          'Mỗi mã chỉ ghi một lần',
        ),
      ),
      reason,
    }),
    answer: z.object({ names: z.array(gameNameSchema) }),
    ...keyed('CONFLICT'),
  }),
}
