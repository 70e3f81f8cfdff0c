import { useContext, useEffect, useRef } from 'react'
import { Link, matchPath, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { WhoMayOpen } from '#admin/kit/who-may-open.ts'
import { useMay } from '#admin/session/console-session.ts'
import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import type { OperatorsRunbook, Runbook } from '#scripts/runbooks.ts'
import { RichText } from '#ui/rich-text.tsx'
import { machineRunbooks, runbooksCopy as copy } from './runbooks.copy.ts'
import { summaries } from './summaries.ts'

/** One part of the console for each, rendered when it is built. */
const engineersFiles = import.meta.glob<Runbook>('/docs/runbooks/*.md', { import: 'default' })
const operatorsFiles = import.meta.glob<OperatorsRunbook>('/docs/runbooks/vi/*.md', { import: 'default' })

const names: Record<string, string> = {
  ...machineRunbooks,
  ...Object.fromEntries(summaries.map(({ name, title }) => [name, title])),
}

/** What operators do about alarms, with a link to the engineer's part; or that part. */
export function Component() {
  const { name = '' } = useParams()
  const isEngineers = useSearchParams()[0].get('part') === 'engineer'
  const forOperators = operatorsFiles[`/docs/runbooks/vi/${name}.md`]
  const forEngineers = engineersFiles[`/docs/runbooks/${name}.md`]
  const all = <Link to="/runbooks">{copy.all}</Link>
  if (forOperators && !isEngineers)
    return (
      <ScreenFrame title={names[name]} acts={all}>
        <Loaded key={name} query={{ queryKey: ['runbook', name], queryFn: forOperators }}>
          {(runbook) => <Sections runbook={runbook} />}
        </Loaded>
      </ScreenFrame>
    )
  const acts = (
    <>
      {forOperators && <Link to={`/runbooks/${name}`}>{copy.operators}</Link>}
      {all}
    </>
  )
  return (
    <ScreenFrame title={names[name]} acts={acts}>
      {forEngineers ? (
        <Loaded key={name} query={{ queryKey: ['runbook', 'engineer', name], queryFn: forEngineers }}>
          {({ title, html }) => (
            <Panel title={title}>
              <Text lang="en" html={html} />
            </Panel>
          )}
        </Loaded>
      ) : (
        <p>{copy.missing}</p>
      )}
    </ScreenFrame>
  )
}

/** Each alarm by itself, at the address by which lists of alarms link to it. */
function Sections({ runbook: { html, sections } }: { runbook: OperatorsRunbook }) {
  const { hash } = useLocation()
  useEffect(() => {
    const section = document.getElementById(hash.slice(1))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash])
  return (
    <>
      <Text lang="vi" html={html} />
      {sections.map(({ title, alarms, html: text }) => (
        <div key={title} id={alarms[0]} tabIndex={-1} className="scroll-mt-20">
          <Panel title={title}>
            <Text lang="vi" html={text} />
            {alarms.length > 0 && (
              <p className="mt-4 text-sm wrap-anywhere text-soft">
                {copy.namesInMessages}
                {alarms.join(', ')}
              </p>
            )}
          </Panel>
        </div>
      ))}
    </>
  )
}

/** Its HTML was made of our own files and has escaped text only. Links to screens and other runbooks stay in the page. */
function Text({ lang, html }: { lang: string; html: string }) {
  const navigate = useNavigate()
  const namingWhoMay = useNamingWhoMay()
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = text.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link?.pathname.startsWith('/admin/') || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void navigate(link.pathname.slice('/admin'.length) + link.search)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  return (
    <RichText ref={text} lang={lang} html={namingWhoMay(html)} className="runbook max-w-3xl wrap-anywhere" />
  )
}

/** In place of a link to a screen that the reader may not open, its name and who may. */
function useNamingWhoMay(): (html: string) => string {
  const screens = useContext(WhoMayOpen)
  const may = useMay()
  return (html) =>
    html.replace(/<a href="\/admin(\/[^"?]*)[^"]*">([^<]*)<\/a>/g, (link, path: string, title: string) => {
      const permission = screens.find((screen) => matchPath(screen.path, path))?.permission ?? null
      if (permission === null || may(permission)) return link
      const roles = ROLES.filter((role) =>
        [permission].flat().some((one) => ROLE_PERMISSIONS[role].includes(one)),
      )
      return `${title} ${copy.opens(roles.map((role) => ROLE_WORDS[role]).join(', '))}`
    })
}
