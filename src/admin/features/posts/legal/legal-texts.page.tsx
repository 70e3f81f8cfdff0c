import { Link } from 'react-router'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { type LegalVersion, operatorLegal } from '#contract/operator/legal.ts'
import { pages, paths } from '#contract/pages.ts'
import { Alert } from '#ui/alert.tsx'
import { buttonClass } from '#ui/button.tsx'
import { legalCopy as copy } from './legal.copy.ts'

/** The texts that bind players, each with its version in force. */
export function Component() {
  return (
    <ScreenFrame>
      <p className="max-w-3xl text-soft">{copy.lead}</p>
      <Loaded query={read(operatorLegal.list)}>
        {(texts) => texts.map((text) => <Text key={text.kind} text={text} />)}
      </Loaded>
    </ScreenFrame>
  )
}

function Text({ text: { kind, version, published_at, published_by } }: { text: LegalVersion }) {
  return (
    <Panel
      title={pages[kind].title}
      acts={
        <div className="flex flex-wrap gap-2">
          <a href={paths[kind]()} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
            {copy.onSite}
          </a>
          <Link to={`/legal/${kind}`} className={buttonClass()}>
            {copy.edit}
          </Link>
        </div>
      }
    >
      <p>
        <strong>{copy.version(version)}</strong>{' '}
        <span className="text-sm text-soft">
          {copy.publishedAt(momentText(published_at), published_by?.username)}
        </span>
      </p>
      {published_by === null && (
        <div className="mt-3">
          <Alert tone="note">{copy.byDefault}</Alert>
        </div>
      )}
    </Panel>
  )
}
