type Props = {
  /** Says what it shows to those who do not see it; the figures stand in a table beside it. */
  label: string
  title: string
  note: string
  bars: readonly { name: string; value: number; text: string }[]
}

const HEIGHT = 80
const BAR = 10
const GAP = 3

/** Bars of non-negative figures, as wide as its place; each names its figure when pointed at. */
export function BarChart({ label, title, note, bars }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap justify-between gap-2 text-sm">
        <strong>{title}</strong>
        <span className="text-soft tabular-nums">{note}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${Math.max(bars.length, 1) * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 h-24 w-full border-b border-line-strong"
      >
        {bars.map(({ name, value, text }, index) => {
          const height = Math.max(value > 0 ? 1 : 0, (value / most) * HEIGHT)
          return (
            <rect
              key={name}
              x={index * (BAR + GAP)}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              className="fill-vermilion"
            >
              <title>{`${name}: ${text}`}</title>
            </rect>
          )
        })}
      </svg>
    </figure>
  )
}
