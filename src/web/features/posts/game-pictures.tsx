import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { Section } from '#web/features/posts/section.tsx'

const pictures = [
  { name: 'lang-dem', caption: 'Làng ninja về đêm', alt: 'Mái ngói và đèn lồng dưới ánh trăng' },
  { name: 'san-trum', caption: 'Cả nhóm hợp sức đánh trùm', alt: 'Các ninja vây quanh con quạ khổng lồ' },
  { name: 'cho-dem', caption: 'Phiên chợ Bến Đèn', alt: 'Những gian hàng sáng đèn bên bến sông' },
] as const

export function GamePictures() {
  return (
    <Section title={copy.gamePictures}>
      <ul className="-mx-4 flex snap-x gap-4 overflow-x-auto px-4 pb-2 md:mx-0 md:grid md:grid-cols-3 md:overflow-visible md:px-0">
        {pictures.map(({ name, caption, alt }) => (
          <li key={name} className="w-[78%] shrink-0 snap-center md:w-auto">
            <figure>
              <img
                src={`/images/game/${name}-320.webp`}
                srcSet={`/images/game/${name}-320.webp 320w, /images/game/${name}-640.webp 640w`}
                sizes="(min-width: 48rem) 360px, 78vw"
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
