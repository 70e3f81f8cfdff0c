import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import {
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  type getNoticePreferences,
  type NoticeKind,
  type NoticePreferences,
  type putNoticePreferences,
} from '#contract/notices.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import { pages } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Page } from '#web/page.ts'
import { browserCall } from '#web/browser-call.ts'
import { lazyComponent } from '#web/load-chunk.tsx'
import { NoticeList, ReadAllButton } from '#web/parts/notices/notice-list.tsx'
import { noticesCopy as copy } from '#web/parts/notices/notices.copy.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { noticesQuery } from '#web/parts/notices/notices.api.ts'
import { Switch } from '#web/parts/notices/switch.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { ownQuery } from '#web/query-client.ts'

const PushSwitch = lazyComponent<object>(
  () => import('#web/features/notices/push-switch.tsx').then((part) => part.PushSwitch),
  { waiting: <Skeleton className="h-20 w-full" />, failed: copy.pushNotLoaded },
)

const preferencesQuery = ownQuery<typeof getNoticePreferences>('/notices/preferences')

const changePreferences = (body: BodyInputOf<typeof putNoticePreferences>): Promise<NoticePreferences> =>
  browserCall<typeof putNoticePreferences>({ method: 'PUT', path: '/notices/preferences' }, { body })

function NoticesPage() {
  const { data } = useQuery(noticesQuery())
  const newest = data?.data[0]
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="brush-title text-3xl">{pages.notices.title}</h1>
          <p className="mt-3 max-w-text text-soft">{copy.lead}</p>
        </div>
        {newest && <ReadAllButton newest={newest.id} unread={data?.payload.unread ?? 0} />}
      </div>
      <Pages />
      <Preferences />
      <Ways />
    </div>
  )
}

/** Each further page is added below; all are read again when something has changed. */
function Pages() {
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined])
  const add = (start: string) => setStarts((shown) => (shown.includes(start) ? shown : [...shown, start]))
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      {starts.map((start, index) => (
        <OnePage key={start ?? ''} after={start} onMore={index === starts.length - 1 ? add : undefined} />
      ))}
    </div>
  )
}

type OnePageProps = { after: string | undefined; onMore: ((start: string) => void) | undefined }

function OnePage({ after, onMore }: OnePageProps) {
  const query = useQuery(noticesQuery(after))
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-96 w-full" />}>
      {({ data, payload: { after: next } }) => (
        <>
          {data.length === 0 && after === undefined && (
            <PageState picture="empty" title={copy.none} text={copy.noneText} />
          )}
          <NoticeList notices={data} className={after === undefined ? '' : 'border-t border-line'} />
          {onMore && next !== null && (
            <div className="flex justify-center border-t border-line p-3">
              <Button kind="text" onClick={() => onMore(next)}>
                {copy.more}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}

function Preferences() {
  const query = useQuery(preferencesQuery)
  return (
    <Section title={copy.preferences} className="mt-8">
      <Loaded query={query} skeleton={<Skeleton className="h-48 w-full" />}>
        {(preferences) => (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {NOTICE_KINDS.map((kind) => (
              <li key={kind}>
                <Preference label={NOTICE_KIND_NAMES[kind]} kind={kind} way="bell" known={preferences} />
              </li>
            ))}
            <li>
              <Preference label={copy.reminders} kind="tournament" way="mail" known={preferences} />
            </li>
          </ul>
        )}
      </Loaded>
      <p className="mt-2 max-w-text text-sm text-soft">{copy.preferencesText}</p>
    </Section>
  )
}

/** How the player is told besides the bell. */
function Ways() {
  const query = useQuery(preferencesQuery)
  return (
    <div id="ways">
      <Section title={copy.ways} className="mt-8">
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          <li>
            <PushSwitch />
          </li>
          <li>
            <Loaded query={query} skeleton={<Skeleton className="h-20 w-full" />}>
              {({ digest }) => <DigestSwitch isWanted={digest} />}
            </Loaded>
          </li>
        </ul>
      </Section>
    </div>
  )
}

function DigestSwitch({ isWanted }: { isWanted: boolean }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<boolean | null>(null)

  async function choose(digest: boolean) {
    setChosen(digest)
    try {
      const stored = await changePreferences({ digest })
      client.setQueryData<NoticePreferences>(preferencesQuery.queryKey, stored)
    } catch (error) {
      reportFailure(error)
    }
    setChosen(null)
  }

  return (
    <Switch
      label={copy.digest}
      text={copy.digestText}
      isOn={chosen ?? isWanted}
      disabled={chosen !== null}
      onChange={(digest) => void choose(digest)}
    />
  )
}

type PreferenceProps = {
  label: string
  kind: NoticeKind
  way: 'bell' | 'mail'
  known: NoticePreferences
}

/** One way in which the player is told of one kind. */
function Preference({ label, kind, way, known }: PreferenceProps) {
  const client = useQueryClient()
  const ways: Partial<Record<'bell' | 'mail', boolean>> = known[kind]
  // Shown at once, and taken back where the server does not take it.
  const [chosen, setChosen] = useState<boolean | null>(null)

  async function choose(isOn: boolean) {
    setChosen(isOn)
    try {
      const stored = await changePreferences({ [kind]: { ...ways, [way]: isOn } })
      client.setQueryData<NoticePreferences>(
        preferencesQuery.queryKey,
        (all) => all && { ...all, [kind]: stored[kind] },
      )
    } catch (error) {
      setChosen(null)
      reportFailure(error)
    }
  }

  return <Switch label={label} isOn={chosen ?? ways[way] ?? true} onChange={(isOn) => void choose(isOn)} />
}

export const page: Page = {
  Component: NoticesPage,
  queries: () => [noticesQuery(), preferencesQuery],
}
