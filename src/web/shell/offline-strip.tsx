import { useSyncExternalStore } from 'react'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

export function OfflineStrip() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline) return null
  return (
    <output className="offline-strip block border-b border-line bg-sunken px-4 py-2 text-center text-sm text-balance">
      {copy.offline}
    </output>
  )
}

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
