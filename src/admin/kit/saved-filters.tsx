import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { read } from '#admin/query.ts'
import { Form } from '#client/forms/form.tsx'
import { SAVED_NAME_MAX, type SavedFilter, savedFilters as calls } from '#contract/operator/session.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Dialog } from './dialog.tsx'
import { kitCopy } from './kit.copy.ts'
import { type ListAddress, writeAddress } from './list-address.ts'
import { useRefresh, useSend, useSendForm } from './use-send.ts'

const copy = kitCopy.saved

type Props = {
  /** The path of the list's call. */
  path: string
  usualSort: ListAddress['sort']
  /** Filter and sorting as they are now. */
  present: SavedFilter['query']
  /** Whether there is something to save. */
  isChanged: boolean
}

/** What the operator saved for this list: opened by a tap; the present filter and sorting are saved under a name. */
export function SavedFilters({ path, usualSort, present, isChanged }: Props) {
  const list = path.replace('/operator/', '')
  const { data: saved = [] } = useQuery(read(calls.list, { query: { list } }))
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  if (saved.length === 0 && !isChanged) return null
  return (
    <nav aria-label={copy.title} className="flex flex-wrap items-center gap-2">
      {saved.map((one) =>
        one.is_valid ? (
          <Link
            key={one.id}
            to={`?${addressOf(one, usualSort)}`}
            className="inline-flex min-h-11 max-w-full items-center rounded-full border border-line-strong bg-raised px-3 text-sm font-bold wrap-anywhere aria-[current]:border-vermilion aria-[current]:bg-wash aria-[current]:text-vermilion"
            aria-current={isSame(one.query, present) ? 'true' : undefined}
          >
            {one.name}
          </Link>
        ) : (
          <span key={one.id} className="text-sm text-soft wrap-anywhere">
            <s>{one.name}</s> {copy.invalid}
          </span>
        ),
      )}
      {isChanged && !saved.some(({ query }) => isSame(query, present)) && (
        <Button kind="text" onClick={() => setOpen('save')}>
          {copy.save}
        </Button>
      )}
      {saved.length > 0 && (
        <Button kind="text" onClick={() => setOpen('manage')}>
          {copy.manage}
        </Button>
      )}
      {open === 'save' && <SaveDialog list={list} query={present} onClose={() => setOpen(null)} />}
      {open === 'manage' && (
        <Dialog title={copy.title} onClose={() => setOpen(null)}>
          <ul className="divide-y divide-line">
            {saved.map((one) => (
              <li key={one.id} className="py-3">
                <Saved saved={one} />
              </li>
            ))}
          </ul>
          {saved.length === 0 && <p className="text-soft">{copy.none}</p>}
        </Dialog>
      )}
    </nav>
  )
}

const isSame = (one: SavedFilter['query'], other: SavedFilter['query']) =>
  one.sort === other.sort && one.filter === other.filter

/** The address whose filter the call's query was made of. */
function addressOf({ query }: SavedFilter, usualSort: ListAddress['sort']): string {
  const filter = JSON.parse(query.filter) as Record<string, unknown>
  return writeAddress(
    {
      sort: JSON.parse(query.sort) as ListAddress['sort'],
      page: 1,
      after: null,
      filter: Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
      hidden: [],
    },
    usualSort,
  ).toString()
}

type SaveProps = { list: string; query: SavedFilter['query']; onClose: () => void }

function SaveDialog({ list, query, onClose }: SaveProps) {
  const refresh = useRefresh()
  const form = useSendForm(calls.save, {
    start: { name: '' },
    toBody: ({ name }) => ({ list, name, query }),
    onDone: () => {
      refresh()
      onClose()
    },
  })
  return (
    <Dialog title={copy.save} onClose={onClose}>
      <Form form={form}>
        <Field {...form.field('name')} label={copy.name} maxLength={SAVED_NAME_MAX} />
        <Button type="submit" isBusy={form.isSending}>
          {copy.submit}
        </Button>
      </Form>
    </Dialog>
  )
}

function Saved({ saved: { id, name } }: { saved: SavedFilter }) {
  const refresh = useRefresh()
  const form = useSendForm(calls.rename, {
    start: { name },
    call: (endpoint, input) => consoleCall(endpoint, { ...input, params: { id } }),
    onDone: refresh,
  })
  const { send, isSending } = useSend(calls.remove, { onDone: refresh })
  return (
    <Form form={form} data-unsent={form.values.name !== name || undefined}>
      <div className="flex flex-wrap items-end gap-2">
        <Field
          {...form.field('name')}
          label={copy.nameOf(name)}
          maxLength={SAVED_NAME_MAX}
          frameClass="grow"
        />
        <Button type="submit" kind="plain" isBusy={form.isSending}>
          {copy.rename}
        </Button>
        <Button kind="text" isBusy={isSending} onClick={() => void send({ params: { id } })}>
          {copy.remove}
        </Button>
      </div>
    </Form>
  )
}
