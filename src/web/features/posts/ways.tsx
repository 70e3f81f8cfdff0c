import { Link } from 'react-router'
import { Icon, type IconName } from '#ui/icon.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { Section } from '#web/features/posts/section.tsx'
import { paths } from '#contract/pages.ts'

type Way = { label: string; text: string; to: string; icon: IconName }

const ways: readonly Way[] = [
  { label: 'Bảng xếp hạng', text: 'Ai đang đứng đầu các máy chủ?', to: paths.ranking, icon: 'people' },
  { label: 'Giải đấu', text: 'Lịch, thể lệ và kết quả từng vòng.', to: paths.tournaments, icon: 'calendar' },
  {
    label: 'Tính nâng ngọc',
    text: 'Cần bao nhiêu ngọc, bao nhiêu xu?',
    to: paths.gemCalculator,
    icon: 'gem',
  },
]

/** The pages that the top navigation has no room for. */
export function Ways() {
  return (
    <Section title={copy.ways}>
      <ul className="grid gap-3 sm:grid-cols-3">
        {ways.map(({ label, text, to, icon }) => (
          <li
            key={to}
            className="group relative flex items-center gap-4 rounded-xl border border-line bg-raised p-4 shadow-card"
          >
            <Icon name={icon} className="size-7 text-vermilion" />
            <div className="min-w-0">
              <h3 className="text-base">
                <Link to={to} className="after:absolute after:inset-0 group-hover:text-vermilion">
                  {label}
                </Link>
              </h3>
              <p className="text-sm text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
