/** `crypto.randomUUID` exists on secure origins only; a portal tried out over plain http needs an id as well. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
