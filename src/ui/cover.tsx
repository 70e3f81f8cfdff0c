type Props = {
  /** Base address of the picture, as the API gives it; a post without one shows a plain area of the same size. */
  cover: string | undefined
  sizes: string
  isFirst?: boolean
  className?: string
}

/** Covers that come with the program exist as AVIF too, a quarter smaller; uploaded ones are WebP alone. */
const hasAvif = (cover: string) => cover.startsWith('/images/covers/')

/** A post's picture, 16:9. The title beside it names the subject, so screen readers skip it. */
export function Cover({ cover, sizes, isFirst = false, className = '' }: Props) {
  if (!cover) return <span aria-hidden="true" className={`block aspect-video bg-sunken ${className}`} />
  const filesAs = (format: string) => `${cover}-320.${format} 320w, ${cover}-640.${format} 640w`
  return (
    <picture className="contents">
      {hasAvif(cover) && <source type="image/avif" srcSet={filesAs('avif')} sizes={sizes} />}
      <img
        src={`${cover}-320.webp`}
        srcSet={filesAs('webp')}
        sizes={sizes}
        width={640}
        height={360}
        alt=""
        loading={isFirst ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : undefined}
        decoding="async"
        className={`block aspect-video h-auto w-full bg-sunken object-cover ${className}`}
      />
    </picture>
  )
}
