import { ActButton } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { RowPage } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { formatNumber } from '#contract/format.ts'
import { type ClientErrorRow, operatorClientErrors } from '#contract/operator/client-errors.ts'
import { Facts } from '#ui/facts.tsx'
import { ClientErrorState, clientErrorsCopy as copy, messageOf, releaseOf } from './client-error-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorClientErrors.get}>{(shown) => <ClientError shown={shown} />}</RowPage>
)

function ClientError({ shown }: { shown: ClientErrorRow }) {
  const { id, places, engines, pages, handled_at } = shown
  return (
    <ScreenFrame
      title={`${copy.one} ${id}`}
      acts={
        handled_at === null && (
          <ActButton
            label={copy.handle}
            endpoint={operatorClientErrors.handle}
            params={{ id }}
            text={copy.handleHint}
          />
        )
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="space-y-4">
          <Panel title={copy.message}>
            <p className="wrap-anywhere">{messageOf(shown)}</p>
          </Panel>
          <Panel title={copy.stack}>
            {places.length === 0 ? (
              <p className="text-soft">{copy.noPlace}</p>
            ) : (
              <ol className="space-y-1">
                {places.map((place, at) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={at}>
                    <code className="wrap-anywhere">{place}</code>
                  </li>
                ))}
              </ol>
            )}
          </Panel>
          <Panel title={copy.engines}>
            <Facts
              facts={engines.map(({ engine, times }) => ({ label: engine, value: formatNumber(times) }))}
            />
          </Panel>
        </div>
        <Panel title={copy.facts}>
          <Facts
            facts={[
              { label: labels.state, value: <ClientErrorState shown={shown} /> },
              { label: copy.site, value: copy.sites[shown.site] },
              { label: copy.release, value: releaseOf(shown) },
              { label: copy.kind, value: copy.kinds[shown.kind] },
              { label: copy.times, value: formatNumber(shown.times) },
              { label: copy.firstSeen, value: momentText(shown.first_seen) },
              { label: copy.lastSeen, value: momentText(shown.last_seen) },
              { label: copy.pages, value: pages.join(', ') || '—' },
              ...(handled_at === null ? [] : [{ label: copy.handledAt, value: momentText(handled_at) }]),
            ]}
          />
        </Panel>
      </div>
    </ScreenFrame>
  )
}
