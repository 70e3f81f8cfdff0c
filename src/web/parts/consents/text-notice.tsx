import { useState } from 'react'
import { pages, paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { consentsCopy as copy } from '#web/parts/consents/consents.copy.ts'
import { agreeToText } from '#web/parts/consents/record-consent.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { refreshUser } from '#web/session/session-store.ts'

export type TextNoticeProps = { texts: User['unread_texts'] }

const STORAGE_KEY = 'texts-later'

const nameOf = (texts: TextNoticeProps['texts']) =>
  texts.map(({ kind, version }) => `${kind}-${version}`).join(' ')

/** Asks a player once about new versions of the texts, at the foot of the screen; nothing waits for the answer. */
export function TextNotice({ texts }: TextNoticeProps) {
  const name = nameOf(texts)
  const [later, setLater] = useState(() => readStored<{ texts: string }>(STORAGE_KEY).texts)
  const [isSending, setSending] = useState(false)

  function putAside() {
    writeStored(STORAGE_KEY, JSON.stringify({ texts: name }))
    setLater(name)
  }

  async function agree() {
    setSending(true)
    try {
      for (const text of texts) await agreeToText(text, 'notice')
    } catch (error) {
      reportFailure(error)
      await refreshUser()
    } finally {
      setSending(false)
    }
  }

  if (later === name) return null
  return (
    <section
      aria-labelledby="text-notice-title"
      className="text-notice fixed inset-x-0 bottom-(--shell-bottom) z-20 border-t border-line-strong bg-raised shadow-card"
    >
      <div className="shell-width flex flex-col gap-2 py-3 md:flex-row md:items-center md:gap-6">
        <div className="min-w-0 flex-1">
          <h2 id="text-notice-title" className="text-base">
            {copy.notice}
          </h2>
          <p className="mt-0.5 text-sm text-soft">{copy.noticeText}</p>
          <ul className="flex flex-wrap gap-x-5">
            {texts.map(({ kind, version }) => (
              <li key={kind}>
                <TextLink to={paths[kind]()}>{copy.named(pages[kind].title, version)}</TextLink>
              </li>
            ))}
          </ul>
        </div>
        <div className="flex shrink-0 gap-3">
          <Button kind="plain" className="flex-1" onClick={putAside}>
            {copy.later}
          </Button>
          <Button className="flex-1" isBusy={isSending} onClick={() => void agree()}>
            {copy.agree}
          </Button>
        </div>
      </div>
    </section>
  )
}
