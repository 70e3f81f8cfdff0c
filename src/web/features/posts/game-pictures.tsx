import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { Section } from '#web/features/posts/section.tsx'

export function GamePictures() {
  return (
    <Section title={copy.picturesTitle}>
      <ul className="grid gap-5 sm:grid-cols-3">
        {copy.pictures.map(({ name, caption, alt }) => (
          <li key={name}>
            <figure>
              <img
                src={`/images/game/${name}-320.webp`}
                srcSet={`/images/game/${name}-320.webp 320w, /images/game/${name}-640.webp 640w`}
                sizes="(min-width: 64rem) 360px, (min-width: 40rem) 30vw, 94vw"
                width={640}
                height={360}
                alt={alt}
                loading="lazy"
                decoding="async"
                className="aspect-video h-auto w-full rounded-xl bg-sunken object-cover"
              />
              <figcaption className="mt-2 text-sm text-soft">{caption}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
