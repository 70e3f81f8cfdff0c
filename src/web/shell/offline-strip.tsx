import { useSyncExternalStore } from 'react'

export function OfflineStrip() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline) return null
  return (
    <output className="block bg-sunken px-4 py-2 text-center text-sm text-balance">
      Bạn đang ngoại tuyến. Kiểm tra kết nối mạng, trang sẽ tự tiếp tục khi có mạng trở lại.
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
