import * as z from 'zod/mini'

/** How many rows one call acts on. */
export const SEVERAL_MAX = 50

/** @__NO_SIDE_EFFECTS__ */
export const severalOf = <One extends z.ZodMiniType>(one: One) =>
  z
    .array(one)
    .check(
      z.minLength(1, 'Hãy chọn ít nhất một dòng'),
      z.maxLength(SEVERAL_MAX, `Mỗi lần tối đa ${SEVERAL_MAX} dòng`),
    )

/** What came of each row, in the order they were given. */
export const severalAnswer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      /** `waiting`: for a second person. */
      status: z.enum(['done', 'waiting', 'refused']),
      /** Of a refused one: the code and the sentence of the same act on it alone. */
      code: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
  ),
})

export type SeveralAnswer = z.output<typeof severalAnswer>
