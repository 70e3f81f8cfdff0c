import { toString } from 'qrcode'

/** The address of an account's secret as a picture to scan, drawn in the browser: the secret is sent to nobody. */
export async function qrOf(uri: string): Promise<string> {
  const svg = await toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}
