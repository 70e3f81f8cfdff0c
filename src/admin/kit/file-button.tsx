import { useState } from 'react'
import { readFile } from '#admin/console-call.ts'
import { CallError } from '#client/call.ts'
import { saveFile } from '#client/save-file.ts'
import { showToast } from '#client/toasts.tsx'
import { Button } from '#ui/button.tsx'
import { kitCopy } from './kit.copy.ts'
import { reportFailure } from './use-send.ts'

const copy = kitCopy.list

type Props = {
  path: string
  query: Readonly<Record<string, string>>
  /** Of the file; the last part of the path where it is left out. */
  name?: string
}

/** Saves what `GET <path>.csv` answers. */
export function FileButton({ path, query, name = `${path.split('/').at(-1)}.csv` }: Props) {
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const file = await readFile(`${path}.csv`, query)
      await saveFile(new File([file], name, { type: 'text/csv' }))
    } catch (error) {
      if (error instanceof CallError) reportFailure(error)
      else showToast(copy.brokenFile, { isFailure: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="plain" isBusy={isBusy} onClick={() => void save()}>
      {copy.csv}
    </Button>
  )
}
