const COLOURS = 7

/** The colour of a series, by its place. */
export const colourOf = (at: number) => `var(--chart-${(at % COLOURS) + 1})`

/** The colour of a series beside its name. */
export const Swatch = ({ at }: { at: number }) => (
  <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
    <rect width="10" height="10" rx="2" fill={colourOf(at)} />
  </svg>
)
