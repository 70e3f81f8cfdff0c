import { useState } from 'react'
import { pages, paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { agreeToText } from '#web/parts/consents/record-consent.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { NoticeBar } from '#web/parts/consents/notice-bar.tsx'

const copy = {
  notice: 'Mời bạn đọc và xác nhận',
  noticeText: 'Các văn bản đang áp dụng mà bạn chưa xác nhận. Bạn vẫn dùng cổng bình thường.',
  named: (title: string, version: number) => `${title} (bản ${version})`,
  agree: 'Đồng ý',
  later: 'Để sau',
} as const

export type TextNoticeProps = { texts: User['unread_texts'] }

const STORAGE_KEY = 'texts-later'

const nameOf = (texts: TextNoticeProps['texts']) =>
  texts.map(({ kind, version }) => `${kind}-${version}`).join(' ')

/** Asks a player once to agree to new versions of the texts, at the foot of the screen; nothing waits for the answer. */
export function TextNotice({ texts }: TextNoticeProps) {
  const name = nameOf(texts)
  const [later, setLater] = useState(() => readStored<{ texts: string }>(STORAGE_KEY).texts)
  const [isSending, setSending] = useState(false)

  function dismiss() {
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
    <NoticeBar
      name="text-notice"
      padding="gap-2 py-3"
      title={copy.notice}
      text={copy.noticeText}
      buttons={
        <>
          <Button kind="plain" className="flex-1" onClick={dismiss}>
            {copy.later}
          </Button>
          <Button className="flex-1" isBusy={isSending} onClick={() => void agree()}>
            {copy.agree}
          </Button>
        </>
      }
    >
      <ul className="flex flex-wrap gap-x-5">
        {texts.map(({ kind, version }) => (
          <li key={kind}>
            <TextLink to={paths[kind]()}>{copy.named(pages[kind].title, version)}</TextLink>
          </li>
        ))}
      </ul>
    </NoticeBar>
  )
}
