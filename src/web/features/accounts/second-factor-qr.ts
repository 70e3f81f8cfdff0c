import { toString } from 'qrcode'

/** The address of an account's secret as a QR code, rendered in the browser so that the secret is not sent anywhere. */
export async function qrOf(uri: string): Promise<string> {
  const svg = await toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}
