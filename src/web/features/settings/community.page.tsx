import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { communityLinks } from '#web/features/settings/community-links.ts'
import type { Page } from '#web/page.ts'
import { settingsQuery, useSettings } from '#web/shell/settings.ts'

function CommunityPage() {
  const links = communityLinks(useSettings())
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">Cộng đồng</h1>
      <p className="mt-3 mb-6 max-w-prose text-soft">
        Nơi người chơi gặp nhau mỗi ngày. Đội vận hành không bao giờ hỏi mật khẩu của bạn trong các nhóm này.
      </p>
      {links.length === 0 && (
        <PageState
          title="Chưa có nhóm nào được mở."
          picture={{ src: '/images/empty-scroll.svg', width: 240, height: 180 }}
        />
      )}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {links.map(({ label, note, href }) => (
          <li key={href}>
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className="group flex h-full min-h-20 items-center gap-4 rounded-xl border border-line bg-raised p-4 shadow-card"
            >
              <Icon name={label.startsWith('Box') ? 'chat' : 'people'} className="size-7 text-vermilion" />
              <span className="min-w-0 flex-1">
                <strong className="block group-hover:text-vermilion">{label}</strong>
                <span className="block text-sm text-soft">{note}</span>
              </span>
              <Icon name="arrow" className="size-5 text-soft" />
              <span className="sr-only">(mở trong thẻ mới)</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const communityPage: Page = {
  Component: CommunityPage,
  queries: () => [settingsQuery],
  head: () => ({
    title: 'Cộng đồng',
    description: 'Fanpage, nhóm Facebook và các box Zalo chính thức của game.',
  }),
}
