/** `hoangtuan@example.com` → `h***@example.com`: enough for its owner to know it, the same length for everybody. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}

/** `84912345601` → `091****601`: as it is dialled at home, the middle hidden. */
export function maskPhone(canonicalPhone: string): string {
  const dialled = canonicalPhone.replace(/^84/, '0')
  return `${dialled.slice(0, 3)}****${dialled.slice(-3)}`
}

/** `hoangtuan` → `hoa***`: enough for whoever knows the name, and never more than half of a short one. */
export function maskName(name: string): string {
  const letters = [...name]
  return `${letters.slice(0, Math.min(3, Math.ceil(letters.length / 2))).join('')}***`
}
