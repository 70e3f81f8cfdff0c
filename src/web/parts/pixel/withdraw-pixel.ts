import { forgetAwaitedRecharge } from '#web/parts/pixel/awaited-recharge.ts'
import { forgetWaiting } from '#web/parts/pixel/pixel.ts'

/** The pixel was refused: nothing more is reported from this browser, and the pixel's cookies are removed. */
export function withdrawPixel(): void {
  const { fbq } = globalThis as { fbq?: (...call: unknown[]) => void }
  fbq?.('consent', 'revoke')
  forgetWaiting()
  forgetAwaitedRecharge()
  const host = location.hostname.split('.')
  const domains = ['', ...host.map((_part, index) => `; Domain=${host.slice(index).join('.')}`)]
  for (const name of ['_fbp', '_fbc']) {
    for (const domain of domains) document.cookie = `${name}=; Max-Age=0; Path=/${domain}`
  }
}
