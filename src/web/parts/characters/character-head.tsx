import { headPicture, NO_HEAD_PICTURE } from '#contract/characters.ts'

type Props = ({ head: number } | { picture: string }) & {
  /** What the head is called, for those who do not see it; without one it is decoration. */
  name?: string | null
  className?: string
}

/** A character's portrait; a head without a picture of its own is shown by the plain one. */
export function CharacterHead({ name, className = 'size-14 rounded-lg', ...shown }: Props) {
  return (
    <img
      src={'head' in shown ? headPicture(shown.head) : shown.picture}
      width={56}
      height={56}
      alt={name ?? ''}
      className={`shrink-0 bg-sunken ${className}`}
      onError={({ currentTarget }) => {
        if (!currentTarget.src.endsWith(NO_HEAD_PICTURE)) currentTarget.src = NO_HEAD_PICTURE
      }}
    />
  )
}
