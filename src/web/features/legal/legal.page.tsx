import { useQuery } from '#web/use-query.ts'
import { useParams } from '#web/navigation.tsx'
import { ageNotice } from '#contract/constants.ts'
import type { getLegalText, LegalKind, LegalText } from '#contract/legal.ts'
import { pages, paths } from '#contract/pages.ts'
import { formatDay } from '#contract/format.ts'
import { isMissing } from '#client/call.ts'
import { Alert } from '#ui/alert.tsx'
import { RichText } from '#ui/rich-text.tsx'
import type { Page } from '#web/page.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { Loaded, NotFound, PageSkeleton } from '#web/parts/fallbacks/fallbacks.tsx'
import { ageClassOf, useSettings } from '#web/parts/settings/settings.ts'
import { openQuery } from '#web/query-client.ts'

const copy = {
  descriptions: {
    terms:
      'Quyền và nghĩa vụ khi dùng cổng: tài khoản, TCoin, vật phẩm trong game và những việc không được làm.',
    privacy:
      'Cổng lưu dữ liệu cá nhân nào, để làm gì, trong bao lâu và bạn có những quyền gì với dữ liệu đó.',
    refunds: 'Khi nào TCoin hoặc tiền nạp được hoàn lại, cách gửi yêu cầu và thời hạn trả lời.',
  },
  version: (number: number, day: string) => `Bản ${number}, áp dụng từ ${day}.`,
  old: (number: number, day: string) => `Đây là bản ${number}, phát hành ngày ${day}, không còn áp dụng.`,
  toCurrent: (number: number) => `Đọc bản đang áp dụng (bản ${number})`,
  toOlder: (number: number) => `Đọc bản trước (bản ${number})`,
  more: 'Văn bản liên quan',
  operator: 'Đơn vị vận hành và độ tuổi',
} as const

const textQuery = (kind: LegalKind, version?: string) =>
  openQuery<typeof getLegalText>('/legal/{kind}', {
    params: { kind },
    query: version === undefined ? {} : { version },
  })

function LegalPage({ kind }: { kind: LegalKind }) {
  const query = useQuery(textQuery(kind, useParams()['version']))
  if (isMissing(query.error)) return <NotFound />
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(text) => <Text text={text} />}
    </Loaded>
  )
}

function Text({ text: { kind, version, current_version, content, published_at } }: { text: LegalText }) {
  const day = formatDay(published_at)
  const isOld = version !== current_version
  return (
    <div className="shell-width">
      <article className="mx-auto max-w-3xl pt-6">
        <h1 className="text-2xl md:text-4xl">{pages[kind].title}</h1>
        {isOld ? (
          <div className="mt-3">
            <Alert tone="note">
              <p>{copy.old(version, day)}</p>
              <TextLink to={paths[kind]()}>{copy.toCurrent(current_version)}</TextLink>
            </Alert>
          </div>
        ) : (
          <p className="mt-2 text-sm text-soft">{copy.version(version, day)}</p>
        )}
        {/* Made safe by the server, as posts are. */}
        <RichText html={content} className="mt-6" />
        <Operator />
        <nav aria-label={copy.more} className="mt-4 flex flex-wrap gap-x-6">
          {version > 1 && (
            <TextLink to={paths[kind](String(version - 1))}>{copy.toOlder(version - 1)}</TextLink>
          )}
          {KINDS.filter((other) => other !== kind).map((other) => (
            <TextLink key={other} to={paths[other]()}>
              {pages[other].title}
            </TextLink>
          ))}
        </nav>
      </article>
    </div>
  )
}

/** Whom these texts are about, and for whom the game is. */
function Operator() {
  const settings = useSettings()
  return (
    <section className="mt-8 rounded-xl border border-line bg-raised p-4 text-[0.9375rem]">
      <h2 className="mb-2 text-lg">{copy.operator}</h2>
      {settings.seller && <p className="mb-2 whitespace-pre-line">{settings.seller}</p>}
      <p>{ageNotice(ageClassOf(settings))}</p>
    </section>
  )
}

const pageOf = (kind: LegalKind): Page => ({
  Component: () => <LegalPage kind={kind} />,
  queries: ({ version }) => [textQuery(kind, version)],
  head: ({ client, params: { version } }) => {
    const text = client.getQueryData(textQuery(kind, version).queryKey)
    // One address for search engines: that of the version in force.
    return {
      description: copy.descriptions[kind],
      ...(version !== undefined && text && { isIndexable: false }),
    }
  },
})

export const legalPages: Record<LegalKind, Page> = {
  terms: pageOf('terms'),
  privacy: pageOf('privacy'),
  refunds: pageOf('refunds'),
}

const KINDS = Object.keys(legalPages) as LegalKind[]
