type Props = { type: number; className?: string }

/** The drawing of a poster: crossed blades for duels, war banners for groups. */
export const PosterArt = ({ type, className = '' }: Props) => (
  <img
    src={`/images/tournaments/${type === 1 ? 'duel' : 'groups'}.svg`}
    width={400}
    height={160}
    alt=""
    fetchPriority="high"
    className={`bg-night object-cover ${className}`}
  />
)
