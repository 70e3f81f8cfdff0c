import { useEffect } from 'react'
import { outcomeCopy, showToast } from '#web/parts/outcomes/announce.ts'

/** In place of a dialog that did not open: says so, above whatever is open, and lets its owner forget it, so that a second tap opens it. */
export function NotOpened({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    showToast(outcomeCopy.notOpened)
    onClose()
  }, [onClose])
  return null
}
