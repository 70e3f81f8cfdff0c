import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { Consent, ConsentSubject, listConsents } from '#contract/legal.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { pages, paths } from '#contract/pages.ts'
import { formatMoment } from '#contract/format.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Page } from '#web/page.ts'
import { agreeToText } from '#web/parts/consents/record-consent.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { choosePixel } from '#web/parts/pixel/choose-pixel.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { ownQuery } from '#web/query-client.ts'

const copy = {
  lead: 'Bạn đã đồng ý với bản nào, lúc nào, ở đâu. Những dòng này không ai sửa được.',
  pixel: 'Đo quảng cáo (Meta Pixel)',
  ranking: 'Hiện tên trên bảng xếp hạng nạp',
  push: 'Nhận thông báo trên thiết bị',
  digest: 'Nhận thư mỗi ngày về thông báo chưa đọc',
  agreed: (version: number, moment: string) => `Đã đồng ý bản ${version} lúc ${moment}.`,
  current: (version: number) => `Bản đang áp dụng: bản ${version}. Bạn chưa xác nhận bản này.`,
  never: 'Bạn chưa được hỏi khi đăng nhập.',
  neverShown: 'Bạn chưa chọn hiện tên.',
  hiddenSince: (moment: string) => `Bạn không hiện tên từ ${moment}.`,
  stopped: (moment: string) => `Bạn đã tắt lúc ${moment}.`,
  change: 'Đổi ở hồ sơ',
  changeAtNotices: 'Đổi ở mục Thông báo',
  granted: (moment: string) => `Bạn đồng ý từ ${moment}.`,
  denied: (moment: string) =>
    `Bạn không đồng ý từ ${moment}. Công cụ đo không được tải trên thiết bị nào bạn đăng nhập.`,
  read: 'Đọc',
  agree: 'Đồng ý',
  withdraw: 'Rút lại sự đồng ý',
  history: 'Lịch sử',
  given: 'Đồng ý',
  refused: 'Không đồng ý',
  version: (version: number) => `bản ${version}`,
  sources: {
    registration: 'lúc đăng ký',
    notice: 'thông báo có bản mới',
    'consents-page': 'trang này',
    'pixel-question': 'câu hỏi về quảng cáo',
    profile: 'hồ sơ',
    'notices-page': 'mục Thông báo',
  } satisfies Record<Consent['source'], string>,
  toProfile: 'Về hồ sơ',
} as const

type Subject = AnswerOf<typeof listConsents>['subjects'][number]

const consentsQuery = ownQuery<typeof listConsents>('/user/consents')

const isText = (subject: ConsentSubject) => subject === 'terms' || subject === 'privacy'

const titleOf = (subject: ConsentSubject) => (isText(subject) ? pages[subject].title : copy[subject])

/** Never asked, never shown: what a player looks for here is what they have answered. */
const isAsked = ({ subject, latest }: Subject, hasPixel: boolean) =>
  latest !== null || (subject === 'pixel' ? hasPixel : subject !== 'push' && subject !== 'digest')

function ConsentsPage() {
  const query = useQuery({ ...consentsQuery, staleTime: 0 })
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.consents.title}</h1>
      <p className="mt-3 mb-4 max-w-text text-soft">{copy.lead}</p>
      <Loaded query={query} skeleton={<Skeleton className="h-96 w-full" />}>
        {({ subjects, records }) => (
          <>
            <Subjects subjects={subjects} />
            <History records={records} />
          </>
        )}
      </Loaded>
      <TextLink to={paths.profile} className="mt-4">
        ←&nbsp;{copy.toProfile}
      </TextLink>
    </div>
  )
}

function Subjects({ subjects }: { subjects: readonly Subject[] }) {
  const { pixel_id: hasPixel } = useSettings()
  const shown = subjects.filter((one) => isAsked(one, Boolean(hasPixel)))
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
      {shown.map((one) => (
        <li
          key={one.subject}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
        >
          <div className="min-w-0 flex-[1_1_16rem]">
            <h2 className="text-base">{titleOf(one.subject)}</h2>
            <p className="mt-0.5 text-[0.9375rem] text-soft">{stateOf(one)}</p>
          </div>
          <Acts of={one} />
        </li>
      ))}
    </ul>
  )
}

function stateOf({ subject, current_version, latest }: Subject): string {
  if (subject === 'pixel') {
    if (latest === null) return copy.never
    return latest.given ? copy.granted(formatMoment(latest.at)) : copy.denied(formatMoment(latest.at))
  }
  if (subject === 'ranking') {
    if (latest === null) return copy.neverShown
    return latest.given ? copy.granted(formatMoment(latest.at)) : copy.hiddenSince(formatMoment(latest.at))
  }
  if (!isText(subject) && latest !== null)
    return latest.given ? copy.granted(formatMoment(latest.at)) : copy.stopped(formatMoment(latest.at))
  const agreed = latest === null ? '' : copy.agreed(latest.version, formatMoment(latest.at))
  return latest?.version === current_version ? agreed : `${agreed} ${copy.current(current_version)}`.trim()
}

function Acts({ of: { subject, current_version, latest } }: { of: Subject }) {
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)
  async function send(work: () => Promise<void>) {
    setSending(true)
    await work().catch(reportFailure)
    await client.invalidateQueries({ queryKey: consentsQuery.queryKey })
    setSending(false)
  }
  if (subject === 'pixel') {
    const isGiven = latest?.given === true
    return (
      <Button
        kind="plain"
        isBusy={isSending}
        onClick={() => void send(() => choosePixel(isGiven ? 'denied' : 'granted', 'consents-page'))}
      >
        {isGiven ? copy.withdraw : copy.agree}
      </Button>
    )
  }
  if (subject === 'ranking') return <TextLink to={`${paths.profile}#ranking-name`}>{copy.change}</TextLink>
  if (!isText(subject)) return <TextLink to={`${paths.notices}#ways`}>{copy.changeAtNotices}</TextLink>
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <TextLink to={paths[subject]()}>{copy.read}</TextLink>
      {latest?.version !== current_version && (
        <Button
          kind="plain"
          isBusy={isSending}
          onClick={() =>
            void send(() => agreeToText({ kind: subject, version: current_version }, 'consents-page'))
          }
        >
          {copy.agree}
        </Button>
      )}
    </div>
  )
}

function History({ records }: { records: readonly Consent[] }) {
  if (records.length === 0) return null
  return (
    <Section title={copy.history} className="mt-8">
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {records.map(({ id, subject, version, given, source, at }) => (
          <li key={id} className="flex items-center justify-between gap-x-4 px-4 py-3">
            <div className="min-w-0">
              <p className="font-bold">
                {titleOf(subject)}, {copy.version(version)}
              </p>
              <p className="text-sm text-soft">
                {formatMoment(at)} · {copy.sources[source]}
              </p>
            </div>
            <Badge tone={given ? 'success' : 'note'}>{given ? copy.given : copy.refused}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export const page: Page = {
  Component: ConsentsPage,
  queries: () => [consentsQuery],
}
