import type { ReactNode } from 'react'
import type { Change, Part } from '#contract/operator/audit-sentences/parts.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { SentencePart } from '#admin/kit/thing-link.tsx'

const copy = kitCopy.change

/** Who did what: `actor` stands before the sentence, which begins with the verb. */
export function ActSentence({ actor, sentence }: { actor: ReactNode; sentence: readonly Part[] }) {
  return (
    <span className="wrap-anywhere">
      <strong>{actor}</strong>{' '}
      {sentence.map((part, index) => (
        <SentencePart key={`${index} ${part.text}`} part={part} />
      ))}
    </span>
  )
}

/** What was, and what is; of a new thing only what it is. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  // Of a new thing every field was empty.
  const isNew = changes.length > 1 && changes.every(({ before }) => before === '')
  return (
    <dl className="min-w-0 space-y-1 text-left">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-2">
          {label !== '' && <dt className="text-sm text-soft">{label}:</dt>}
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {!isNew && (
              <>
                <del className="wrap-anywhere text-soft">
                  <span className="sr-only">{copy.before}: </span>
                  {before || copy.nothing}
                </del>
                <span aria-hidden="true">→</span>
              </>
            )}
            <ins className="font-bold wrap-anywhere no-underline">
              <span className="sr-only">{copy.after}: </span>
              {after || copy.nothing}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
