/** Less than this much more, by rounding say, is no better value. */
const MARGIN = 1.01

/** The option that brings clearly the most luong for each TCoin; none where it makes no difference. */
export function bestValue<Option extends { amount: number }>(
  options: readonly Option[],
  luongOf: (option: Option) => number,
): Option | undefined {
  const valued = options
    .map((option) => ({ option, value: luongOf(option) / option.amount }))
    .sort((one, other) => other.value - one.value)
  const [first, second] = valued
  return first && second && first.value >= second.value * MARGIN ? first.option : undefined
}
