import { useEffect, useRef } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import type { Runbook } from '#scripts/runbooks.ts'
import { runbookNames, runbooksCopy as copy } from './runbooks.copy.ts'
import { RichText } from '#ui/rich-text.tsx'

/** One part of the console for each, rendered when it is built. */
const files = import.meta.glob<Runbook>('/docs/runbooks/*.md', { import: 'default' })

const names: Record<string, string> = { ...runbookNames.alarms, ...runbookNames.machine }

export function Component() {
  const { name = '' } = useParams()
  const load = files[`/docs/runbooks/${name}.md`]
  return (
    <ScreenFrame title={names[name]} acts={<Link to="/runbooks">{copy.all}</Link>}>
      {load ? (
        <Loaded key={name} query={{ queryKey: ['runbook', name], queryFn: load }}>
          {(runbook) => <Text runbook={runbook} />}
        </Loaded>
      ) : (
        <p>{copy.missing}</p>
      )}
    </ScreenFrame>
  )
}

/** Its HTML was made of our own files and has escaped text only. Links to other runbooks stay in the page. */
function Text({ runbook: { title, html } }: { runbook: Runbook }) {
  const navigate = useNavigate()
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = text.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link?.pathname.startsWith('/admin/runbooks/') || event.ctrlKey || event.metaKey || event.shiftKey)
        return
      event.preventDefault()
      void navigate(link.pathname.slice('/admin'.length))
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  return (
    <Panel title={title}>
      <RichText ref={text} lang="en" html={html} className="runbook max-w-3xl wrap-anywhere" />
    </Panel>
  )
}
