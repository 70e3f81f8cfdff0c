import { useState } from 'react'
import { parseJson } from '#contract/operator/fields.ts'
import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { settingsCopy } from './settings.copy.ts'

const copy = settingsCopy.file

type Facts = Partial<Record<'version' | 'sha256', string | undefined> & { size_bytes: number | undefined }>

type Props = {
  setting: OperatorSetting
  text: string
  error: string | undefined
  onText: (text: string) => void
}

/** What is known of a file for download: the version is typed, size and fingerprint are computed from the file itself. */
export function FileFactsInput({ setting: { label, description }, text, error, onText }: Props) {
  const facts = (parseJson(text) ?? {}) as Facts
  const [state, setState] = useState<'computing' | 'failed' | null>(null)
  const set = (changed: Facts) => {
    const known = Object.entries({ ...facts, ...changed }).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    onText(known.length === 0 ? '' : JSON.stringify(Object.fromEntries(known)))
  }
  const compute = async (file: File) => {
    setState('computing')
    try {
      set({ size_bytes: file.size, sha256: await sha256Of(file) })
      setState(null)
    } catch {
      // Larger than the browser's memory, or changed meanwhile.
      setState('failed')
    }
  }
  return (
    <fieldset>
      <legend className="text-sm font-bold">{label}</legend>
      <p className="mb-2 text-sm text-soft">{description}</p>
      <Field
        label={kitCopy.setting.parts['version'] ?? ''}
        placeholder=""
        aria-invalid={error === undefined ? undefined : true}
        value={facts.version ?? ''}
        onChange={({ target }) => set({ version: target.value })}
      />
      <label className="mt-3 block">
        <span className="mb-1 block text-sm font-bold">{copy.choose}</span>
        <input
          type="file"
          className="block w-full"
          disabled={state === 'computing'}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void compute(file)
          }}
        />
        <span className="mt-1 block text-sm text-soft">{copy.hint}</span>
      </label>
      <p role="status" className="mt-2 text-sm break-all">
        {state === 'computing' ? copy.computing : copy.known(facts.size_bytes, facts.sha256)}
      </p>
      {(facts.size_bytes !== undefined || facts.sha256 !== undefined) && (
        <Button kind="text" onClick={() => set({ size_bytes: undefined, sha256: undefined })}>
          {copy.forget}
        </Button>
      )}
      {(error ?? (state === 'failed' ? copy.failed : undefined)) && (
        <p role="alert" className="mt-1 text-sm text-vermilion">
          {error ?? copy.failed}
        </p>
      )}
    </fieldset>
  )
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
