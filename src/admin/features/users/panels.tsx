import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NOTE_MAX, operatorUserActs as calls } from '#contract/operator/user-acts.ts'
import { Form } from '#client/forms/form.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { consoleCall } from '#admin/console-call.ts'
import { panelsCopy as copy } from '#admin/features/users/acts.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded, LoadFailure } from '#admin/kit/loaded.tsx'
import { PageSkeleton } from '#admin/kit/page-skeleton.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { useSendForm } from '#admin/kit/use-send-form.ts'
import { useRefresh } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

type Part<Row> = { rows: Row[]; next: string | null }

type PartsProps<Row> = {
  name: string
  userId: string
  load: (before: string | undefined) => Promise<Part<Row>>
  empty: string
  children: (row: Row) => ReactNode
}

/** Rows about a player, the newest first; older ones are added below. */
function Parts<Row extends { id: string }>({ name, userId, load, empty, children }: PartsProps<Row>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [name, userId],
    queryFn: ({ pageParam }) => load(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (error && !data) return <LoadFailure error={error} onRetry={refetch} />
  if (data === undefined) return <PageSkeleton />
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <p className="text-soft">{empty}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="py-2 wrap-anywhere">
            {children(row)}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          kind="plain"
          className="mt-2"
          isBusy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {copy.older}
        </Button>
      )}
    </>
  )
}

export function NotesPanel({ userId }: { userId: string }) {
  const may = useMay()
  const load = (before: string | undefined) =>
    consoleCall(calls.notes, { params: { id: userId }, query: before === undefined ? {} : { before } })
  return (
    <Panel title={copy.notes}>
      {may('users.assist') && <NoteForm userId={userId} />}
      <Parts name={calls.notes.path} {...{ userId, load }} empty={copy.noNotes}>
        {({ text, author, created_at }) => (
          <>
            <p className="text-sm text-soft">
              {author.username} · {momentText(created_at)}
            </p>
            <p className="whitespace-pre-line">{text}</p>
          </>
        )}
      </Parts>
    </Panel>
  )
}

function NoteForm({ userId }: { userId: string }) {
  const refresh = useRefresh()
  const form = useSendForm(calls.addNote, {
    start: { note: '' },
    call: (endpoint, input) => consoleCall(endpoint, { ...input, params: { id: userId } }),
    onDone: (_answer, edit) => {
      edit.reset()
      refresh()
    },
  })
  return (
    <Form form={form}>
      <TextArea
        {...form.field('note')}
        label={copy.note}
        hint={copy.noteHint}
        maxLength={NOTE_MAX}
        rows={2}
      />
      <Button type="submit" kind="plain" isBusy={form.isSending}>
        {copy.addNote}
      </Button>
    </Form>
  )
}

export function SessionsPanel({ userId }: { userId: string }) {
  const load = (before: string | undefined) =>
    consoleCall(calls.signIns, { params: { id: userId }, query: before === undefined ? {} : { before } })
  return (
    <Panel title={copy.sessions}>
      <Loaded query={read(calls.sessions, { params: { id: userId } })}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="text-soft">{copy.noSessions}</p>
          ) : (
            <ul className="divide-y divide-line">
              {sessions.map(({ id, device, place, kind, last_used_at }) => (
                <li key={id} className="py-2">
                  {copy.session(device, place)} · {copy.kinds[kind]}
                  <span className="block text-sm text-soft">{copy.lastUsed(momentText(last_used_at))}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <details className="mt-3">
        <summary className="font-bold">{copy.signIns}</summary>
        <Parts name={calls.signIns.path} {...{ userId, load }} empty={copy.noSignIns}>
          {({ at, device, place, outcome, is_new_device }) => (
            <>
              {copy.outcomes[outcome]} · {copy.session(device, place)}
              {is_new_device && ` · ${copy.newDevice}`}
              <span className="block text-sm text-soft">{momentText(at)}</span>
            </>
          )}
        </Parts>
      </details>
    </Panel>
  )
}
