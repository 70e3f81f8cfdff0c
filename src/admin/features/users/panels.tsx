import { NOTE_MAX, operatorUserActs as calls } from '#contract/operator/user-acts.ts'
import { consoleCall } from '#admin/console-call.ts'
import { panelsCopy as copy } from '#admin/features/users/acts.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { NotesPanel } from '#admin/kit/notes-panel.tsx'
import { Parts } from '#admin/kit/parts.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

export function PlayerNotes({ userId }: { userId: string }) {
  const may = useMay()
  return (
    <NotesPanel
      list={calls.notes}
      add={calls.addNote}
      params={{ id: userId }}
      max={NOTE_MAX}
      mayAdd={may('users.assist')}
      empty={copy.noNotes}
    />
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
        <Parts name={[calls.signIns.path, userId]} load={load} empty={copy.noSignIns}>
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
