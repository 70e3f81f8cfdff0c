import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoment } from '#contract/format.ts'
import type { Notice } from '#contract/notices.ts'
import { Button } from '#ui/button.tsx'
import { Link } from '#web/navigation.tsx'
import { noticesCopy as copy } from '#web/parts/notices/notices.copy.ts'
import { markNoticesRead } from '#web/parts/notices/notices.api.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'

type ListProps = { notices: readonly Notice[]; className?: string; onFollow?: () => void }

export function NoticeList({ notices, className = '', onFollow }: ListProps) {
  return (
    <ul className={`divide-y divide-line ${className}`}>
      {notices.map((notice) => (
        <li key={notice.id}>
          <NoticeLink notice={notice} onFollow={onFollow} />
        </li>
      ))}
    </ul>
  )
}

function NoticeLink({ notice, onFollow }: { notice: Notice; onFollow?: (() => void) | undefined }) {
  const client = useQueryClient()
  const { id, title, text, href, created_at, read } = notice

  function follow() {
    // The page is shown whether or not the mark arrives.
    if (!read) markNoticesRead(client, { until: id, from: id }).catch(() => {})
    onFollow?.()
  }

  return (
    <Link to={href} className="flex items-start gap-3 px-4 py-3 hover:bg-sunken" onClick={follow}>
      <span aria-hidden="true" className={`mt-2 size-2.5 shrink-0 rounded-full ${read ? '' : 'bg-fill'}`} />
      <span className="min-w-0 flex-1">
        {!read && <span className="sr-only">{copy.unread}. </span>}
        <strong className={`block ${read ? 'text-soft' : ''}`}>{title}</strong>
        <span className="block text-[0.9375rem] wrap-anywhere">{text}</span>
        <time dateTime={created_at} className="mt-0.5 block text-sm text-soft">
          {formatMoment(created_at)}
        </time>
      </span>
    </Link>
  )
}

/** Marks everything up to the newest notice that is shown. */
export function ReadAllButton({ newest, unread }: { newest: string; unread: number }) {
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)

  async function readAll() {
    setSending(true)
    await markNoticesRead(client, { until: newest }).catch(reportFailure)
    setSending(false)
  }

  return (
    <Button kind="plain" isBusy={isSending} disabled={unread === 0} onClick={() => void readAll()}>
      {copy.readAll}
    </Button>
  )
}
