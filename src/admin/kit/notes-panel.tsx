import { consoleCall } from '#admin/console-call.ts'
import { Form } from '#client/forms/form.tsx'
import type { AnswerOf, Endpoint, ParamsOf } from '#contract/endpoint.ts'
import type { OperatorNote } from '#contract/operator/fields.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { momentText } from './format.ts'
import { kitCopy } from './kit.copy.ts'
import { Parts } from './loaded.tsx'
import { Panel } from './screen.tsx'
import { useRefresh, useSendForm } from './use-send.ts'

const copy = kitCopy.notes

type Notes = { rows: OperatorNote[]; next: string | null }

type Props<L extends Endpoint, A extends Endpoint> = {
  list: AnswerOf<L> extends Notes ? L : never
  add: A
  params: ParamsOf<L> & ParamsOf<A>
  max: number
  mayAdd: boolean
  empty: string
}

/** What operators noted about one thing, the newest first, and a field for the next note. */
export function NotesPanel<L extends Endpoint, A extends Endpoint>({
  list,
  params,
  empty,
  mayAdd,
  ...form
}: Props<L, A>) {
  return (
    <Panel title={copy.title}>
      {mayAdd && <NoteForm {...form} params={params} />}
      <Parts<L> endpoint={list} params={params} empty={empty}>
        {(note) => <Note {...(note as OperatorNote)} />}
      </Parts>
    </Panel>
  )
}

const Note = ({ text, author, created_at }: OperatorNote) => (
  <>
    <p className="text-sm text-soft">
      {author.username} · {momentText(created_at)}
    </p>
    <p className="whitespace-pre-line">{text}</p>
  </>
)

function NoteForm<A extends Endpoint>({ add, params, max }: { add: A; params: ParamsOf<A>; max: number }) {
  const refresh = useRefresh()
  const form = useSendForm<Endpoint, { note: string }>(add as Endpoint, {
    start: { note: '' },
    call: (endpoint, input) => consoleCall(endpoint, { ...input, params: params as never }),
    onDone: (_answer, edit) => {
      edit.reset()
      refresh()
    },
  })
  return (
    <Form form={form}>
      <TextArea {...form.field('note')} label={copy.note} hint={copy.hint} maxLength={max} rows={2} />
      <Button type="submit" kind="plain" isBusy={form.isSending}>
        {copy.add}
      </Button>
    </Form>
  )
}
