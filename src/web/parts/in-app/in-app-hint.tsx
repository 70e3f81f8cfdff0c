import { useSyncExternalStore } from 'react'
import { chromeAddress, readInApp } from '#client/in-app.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { copyText } from '#web/parts/clipboard/copy-row.tsx'

const copy = {
  at: (app: string) => (app === '' ? 'trong một ứng dụng khác' : `trong ${app}`),
  openChrome: 'Mở bằng Chrome',
  orByMenu: 'Máy không có Chrome? Bấm nút ⋯ ở góc màn hình rồi chọn mở bằng trình duyệt.',
  byMenu: 'Bấm nút ⋯ ở góc màn hình rồi chọn “Mở bằng Safari” hoặc “Mở bằng trình duyệt”.',
  copyLink: 'Sao chép đường dẫn',
} as const

type Props = {
  /** What does not work there, as a sentence about the app. */
  text: (app: string) => string
  className?: string
}

/** In a browser inside another app: how to go on in the phone's own browser, where that works. Elsewhere nothing. */
export function InAppHint({ text, className = '' }: Props) {
  const app = useSyncExternalStore(
    () => () => {},
    readInApp,
    () => null,
  )
  if (app === null) return null
  const isAndroid = document.documentElement.dataset.device === 'android'
  return (
    <aside className={`space-y-2 rounded-xl border-l-4 border-line-strong bg-sunken p-4 ${className}`}>
      <p className="font-bold">{text(copy.at(app))}</p>
      <p className="text-[0.9375rem]">{isAndroid ? copy.orByMenu : copy.byMenu}</p>
      <div className="flex flex-wrap gap-2">
        {isAndroid && (
          <a href={chromeAddress(location.href)} className={buttonClass()}>
            {copy.openChrome}
          </a>
        )}
        <Button kind="plain" onClick={() => void copyText(location.href)}>
          {copy.copyLink}
        </Button>
      </div>
    </aside>
  )
}
