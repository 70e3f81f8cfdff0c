import { type SyntheticEvent, useState } from 'react'
import { consoleCall } from '#admin/console-call.ts'
import { Dialog } from '#admin/kit/dialog.tsx'
import { ChoiceField } from '#admin/kit/fields.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { showToast } from '#client/toasts.tsx'
import { LIST_ROWS_MAX } from '#contract/operator/fields.ts'
import {
  type GameName,
  GAME_NAME_WORDS,
  type GameNameKind,
  operatorGameNames,
} from '#contract/operator/game/names.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { type Draft, problemOf, useDrafts } from './name-drafts.tsx'
import { namesCopy as copy } from './names.copy.ts'
import { type PastedName, readPasted } from './pasted-names.ts'

/** A code that nothing is known of. */
const newRow = (kind: GameNameKind, code: string): GameName => ({
  id: `${kind}:${code}`,
  kind,
  code,
  name: null,
  short_name: null,
  told_name: null,
  is_described: false,
  is_used: false,
  updated_at: null,
})

/** The drafts of pasted names, over the rows as they are now. */
async function draftsOf(kind: GameNameKind, names: readonly PastedName[]): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (let from = 0; from < names.length; from += LIST_ROWS_MAX) {
    const some = names.slice(from, from + LIST_ROWS_MAX)
    const id = some.map(({ code }) => `${kind}:${code}`)
    const query = { filter: JSON.stringify({ id }), range: JSON.stringify([0, LIST_ROWS_MAX - 1]) }
    const rows = await consoleCall(operatorGameNames.list, { query })
    for (const { code, ...typed } of some)
      drafts.push({ base: rows.find((row) => row.code === code) ?? newRow(kind, code), ...typed })
  }
  return drafts
}

type Props = { kind: GameNameKind; onClose: () => void }

/** Takes a list of codes and names into the page, where it is looked at and saved. */
export function PasteDialog({ kind: shown, onClose }: Props) {
  const { put } = useDrafts()
  const [kind, setKind] = useState(shown)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function take(event: SyntheticEvent) {
    event.preventDefault()
    const pasted = readPasted(text, kind)
    const wrong = pasted.names.map(problemOf).find((one) => one !== undefined)
    if (pasted.problem !== null || wrong !== undefined) return setProblem(pasted.problem ?? wrong)
    setBusy(true)
    try {
      const drafts = await draftsOf(kind, pasted.names)
      put(drafts)
      showToast(copy.pasted(drafts.length))
      onClose()
    } catch {
      setProblem(copy.pasteFailed)
      setBusy(false)
    }
  }

  return (
    <Dialog title={copy.paste} onClose={onClose}>
      <form
        className="space-y-4"
        data-unsent={text !== '' || undefined}
        onSubmit={(event) => void take(event)}
      >
        <ChoiceField
          label={copy.filters.kind}
          value={kind}
          onChange={({ target }) => setKind(target.value as GameNameKind)}
          options={optionsOf(GAME_NAME_WORDS)}
        />
        <TextArea
          label={copy.pasteLines}
          hint={copy.pasteHint}
          error={problem}
          rows={8}
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setProblem(undefined)
          }}
        />
        <div className="flex justify-end">
          <Button type="submit" isBusy={isBusy}>
            {copy.pasteDone}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
