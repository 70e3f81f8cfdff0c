const NIGHT = '#1f1a17'
const HILL = '#2e2520'
const PAPER = '#f7efe2'
const SUN = '#bf3319'

type Props = { type: number; className?: string }

/** The drawing of a poster: crossed blades for duels, war banners for groups, before a red sun. */
export function PosterArt({ type, className = '' }: Props) {
  return (
    <svg
      viewBox="0 0 400 160"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={`block bg-night ${className}`}
    >
      <circle cx="200" cy="84" r="62" fill={SUN} />
      <path d="M0 132 62 88l34 26 50-44 40 40 42-30 58 46 44-34 70 42v26H0Z" fill={HILL} />
      {type === 1 ? <Blades /> : <Banners />}
      <path d="M0 142c60-12 130-14 200-6s140 4 200-8v32H0Z" fill={NIGHT} />
      <Roof />
      <path
        d="M22 160C26 110 24 60 30 6M50 160c2-40 0-84 6-128M24 104l12-4M25 62l12-4M51 92l11-4M30 40c14-12 22-14 34-12-12 2-20 8-34 12ZM56 60c12-12 20-12 32-8-12 0-20 6-32 8Z"
        fill="none"
        stroke="#4a3c33"
        strokeWidth="3"
      />
    </svg>
  )
}

function Blades() {
  return (
    <>
      <Blade place="translate(164 142) rotate(38)" />
      <Blade place="translate(236 142) scale(-1 1) rotate(38)" />
    </>
  )
}

const Blade = ({ place }: { place: string }) => (
  <g transform={place}>
    <path d="M-3.5-24c-1-34 1-68 9-102 1 34 1 68-1 102Z" fill={PAPER} />
    <path d="M-10-25h22v5h-22ZM-3-18h8V6h-8Z" fill={PAPER} />
    <path d="m1-16 3 4-3 4-3-4Zm0 9 3 4-3 4-3-4Z" fill={NIGHT} />
  </g>
)

const BANNERS = [
  { x: 112, y: 46, cloth: PAPER, mark: NIGHT },
  { x: 158, y: 24, cloth: SUN, mark: PAPER },
  { x: 212, y: 16, cloth: PAPER, mark: SUN },
  { x: 262, y: 38, cloth: SUN, mark: PAPER },
] as const

const Banners = () =>
  BANNERS.map(({ x, y, cloth, mark }) => (
    <g key={x} transform={`translate(${x} ${y})`}>
      <path d="M0-6v140M0 0h30" stroke={PAPER} strokeWidth="3" />
      <path d="M2 1h26c-3 22 3 42 0 66-9 4-17-3-26 1Z" fill={cloth} stroke={NIGHT} strokeWidth="1.5" />
      <circle cx="15" cy="26" r="7" fill={mark} />
      <path d="M10 42h10M10 50h10" stroke={mark} strokeWidth="3" />
    </g>
  ))

/** The arena's gate at the right. */
const Roof = () => (
  <path
    d="M306 92c14 2 26-4 40-4s28 6 44 4c-4 8-10 10-14 10v58h-8v-46h-42v46h-8v-58c-5 0-9-3-12-10Zm20 14v4h42v-4Z"
    fill="#120e0c"
    stroke="#4a3c33"
    strokeWidth="1.5"
  />
)
