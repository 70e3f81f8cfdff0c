import type { LegalKind } from '#contract/legal.ts'
import { operatorLegal } from '#contract/operator/legal.ts'
import { paths } from '#contract/pages.ts'
import { Dialog } from '#ui/dialog.tsx'
import { legalCopy as copy } from '#admin/features/posts/legal/legal.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

/** The published versions of a text, each to be read where players read it. */
export function VersionsDialog({ kind, onClose }: { kind: LegalKind; onClose: () => void }) {
  return (
    <Dialog title={copy.versions} onClose={onClose}>
      <Loaded query={read(operatorLegal.versions, { params: { kind } })}>
        {(versions) => (
          <ul className="divide-y divide-line">
            {versions.map(({ version, published_at, published_by }) => (
              <li key={version} className="py-2">
                <a
                  href={paths[kind](String(version))}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-h-11 items-center font-bold"
                >
                  {copy.version(version)}
                </a>
                <span className="block text-sm text-soft">
                  {copy.publishedAt(momentText(published_at), published_by?.username)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}
