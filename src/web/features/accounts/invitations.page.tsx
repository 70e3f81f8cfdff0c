import { useQuery } from '#web/use-query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import { invitationSentence, type getInvitations } from '#contract/rewards/invitations.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { qrOf } from '#web/features/accounts/second-factor-qr.ts'
import type { Page } from '#web/page.ts'
import { CopyRow } from '#web/parts/clipboard/copy-row.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { ShareRow } from '#web/parts/share/share-row.tsx'
import { ownQuery } from '#web/query-client.ts'

type Invitations = AnswerOf<typeof getInvitations>
type State = Invitations['invited'][number]['state']

const copy = {
  lead: 'Gửi đường dẫn hoặc mã QR này cho bạn bè. Ai đăng ký trong bảy ngày kể từ lúc mở đường dẫn, bạn được ghi nhận là người giới thiệu.',
  off: 'Lúc này lời mời không có phần thưởng.',
  left: (count: number) => `Tháng này bạn còn ${formatNumber(count)} phần thưởng.`,
  link: 'Đường dẫn mời',
  qr: 'Mã QR của đường dẫn mời',
  invited: 'Người bạn đã mời',
  none: 'Chưa có ai đăng ký bằng đường dẫn của bạn.',
  states: {
    registered: 'Đã đăng ký',
    activated: 'Đã kích hoạt, chưa nạp',
    waiting: 'Đã nạp, chờ xét thưởng',
    granted: 'Đã thưởng',
    refused: 'Không được thưởng',
  } satisfies Record<State, string>,
  toProfile: 'Về hồ sơ',
} as const

const tones = {
  registered: 'note',
  activated: 'note',
  waiting: 'waiting',
  granted: 'success',
  refused: 'note',
} as const satisfies Record<State, BadgeTone>

const invitationsQuery = ownQuery<typeof getInvitations>('/invitations')

/** The link to send, what it is worth, and who came by it. */
function InvitationsPage() {
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.invitations.title}</h1>
      <p className="mt-3 mb-4 max-w-text text-soft">{copy.lead}</p>
      <Loaded query={useQuery(invitationsQuery)} skeleton={<Skeleton className="h-96 w-full" />}>
        {(invitations) => <Invitations invitations={invitations} />}
      </Loaded>
      <TextLink to={paths.profile} className="mt-4">
        ←&nbsp;{copy.toProfile}
      </TextLink>
    </div>
  )
}

function Invitations({ invitations: { link, terms, rewards_left, invited } }: { invitations: Invitations }) {
  return (
    <>
      <div className="mb-6 max-w-text">
        <Alert tone="note">
          {terms === null ? (
            <p>{copy.off}</p>
          ) : (
            <>
              <p>{invitationSentence(terms)}</p>
              <p className="mt-2 font-bold">{copy.left(rewards_left)}</p>
            </>
          )}
        </Alert>
      </div>
      <div className="grid items-start gap-6 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <InvitationQr link={link} />
        <div>
          <dl className="mb-3 rounded-xl border border-line">
            <CopyRow label={copy.link} text={link} />
          </dl>
          <ShareRow to={link} title={pages.invitations.title} isCopiedElsewhere />
        </div>
      </div>
      <Section title={copy.invited} className="mt-8">
        {invited.length === 0 ? (
          <p className="text-soft">{copy.none}</p>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {invited.map(({ name, state, reward }, at) => (
              // Masked names may be alike.
              <li key={at} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
                <strong>{name}</strong>
                <span className="flex items-center gap-3">
                  {reward !== null && <Coins className="text-sm">{`+${formatNumber(reward)}`}</Coins>}
                  <Badge tone={tones[state]}>{copy.states[state]}</Badge>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

/** On white in dark mode too: scanners need dark on light. */
function InvitationQr({ link }: { link: string }) {
  const { data } = useQuery({
    queryKey: ['invitation-qr', link],
    queryFn: () => qrOf(link),
    staleTime: Infinity,
  })
  return data === undefined ? (
    <Skeleton className="mx-auto size-56" />
  ) : (
    <img
      src={data}
      width={224}
      height={224}
      alt={copy.qr}
      className="mx-auto rounded-xl border border-line bg-[#fff]"
    />
  )
}

export const page: Page = { Component: InvitationsPage, queries: () => [invitationsQuery] }
