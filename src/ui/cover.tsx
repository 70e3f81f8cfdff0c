type Props = {
  /** Base address of the picture, as the API gives it; a post without one shows a plain area of the same size. */
  cover: string | undefined
  sizes: string
  isFirst?: boolean
  className?: string
}

/** A post's picture, 16:9. The title beside it names the subject, so screen readers skip it. */
export function Cover({ cover, sizes, isFirst = false, className = '' }: Props) {
  if (!cover) return <span aria-hidden="true" className={`block aspect-video bg-sunken ${className}`} />
  return (
    <img
      src={`${cover}-320.webp`}
      srcSet={`${cover}-320.webp 320w, ${cover}-640.webp 640w`}
      sizes={sizes}
      width={640}
      height={360}
      alt=""
      loading={isFirst ? undefined : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
      className={`block aspect-video h-auto w-full bg-sunken object-cover ${className}`}
    />
  )
}
