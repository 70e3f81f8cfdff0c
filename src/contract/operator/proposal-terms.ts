import * as z from 'zod/mini'

/** What a proposal would do, in full; an amount that players or staff are not told elsewhere has its line here. */
export const proposalTermsSchema = z.object({
  /** Each is a text for people; `before` is what is in force today, null where nothing is replaced. */
  lines: z.array(z.object({ label: z.string(), before: z.nullable(z.string()), after: z.string() })),
  /** The most that it can cost in luong, TCoin and đ; in words where nothing bounds it, or where it costs nothing. */
  worst: z.string(),
})

export type ProposalTerms = z.output<typeof proposalTermsSchema>
export type TermsLine = ProposalTerms['lines'][number]

export const WORST_LABEL = 'Tốn nhiều nhất'

/**
 * The terms of a change with those of its parts. What a part costs at most has its own line: it may be what the change gives
 * away, as a budget is, or come on top of it.
 */
export const withParts = (
  { lines, worst }: ProposalTerms,
  parts: readonly ProposalTerms[],
): ProposalTerms => ({
  lines: [
    ...lines,
    ...parts.flatMap((part) => [
      ...part.lines,
      { label: 'Phần kèm theo tốn nhiều nhất', before: null, after: part.worst },
    ]),
  ],
  worst,
})

/** What an act costs that moves neither TCoin nor goods. */
export const COSTS_NOTHING = 'Không tốn TCoin, lượng hay tiền'

/** Every line of the terms, the worst case last, for the screen and the audit trail. */
export const allLines = ({ lines, worst }: ProposalTerms): TermsLine[] => [
  ...lines,
  { label: WORST_LABEL, before: null, after: worst },
]

/** Every line as one text, for letters. */
export const termsInWords = (terms: ProposalTerms): string[] =>
  allLines(terms).map(({ label, before, after }) =>
    before === null ? `${label}: ${after}` : `${label}: ${before} → ${after}`,
  )

/** The terms that a row of the audit trail holds; rows of older programs have none. */
export function storedTerms(value: unknown): ProposalTerms | null {
  const read = z.safeParse(proposalTermsSchema, value)
  return read.success ? read.data : null
}
