import { useEffect, useRef } from 'react'
import { useNavigate } from '#web/navigation.tsx'

/** HTML written by the operators; the server has removed unsafe parts. Links within the site stay in the page. */
export function RichText({ html, className = '' }: { html: string; className?: string }) {
  const navigate = useNavigate()
  const text = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = text.current
    const follow = (event: MouseEvent) => {
      const path = innerPath(event)
      if (path === null) return
      event.preventDefault()
      void navigate(path)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])

  return <div ref={text} className={`rich-text ${className}`} dangerouslySetInnerHTML={{ __html: html }} />
}

/** The path of a normally clicked link to another page of this site; null for everything the browser should do itself. */
function innerPath(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.origin !== location.origin || (link.target !== '' && link.target !== '_self')) return null
  if (link.getAttribute('href')?.startsWith('#') || /\.\w+$/.test(link.pathname)) return null
  return link.pathname + link.search + link.hash
}
