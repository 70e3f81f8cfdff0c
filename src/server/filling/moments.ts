let second = Number.NaN
let text = ''

/** A moment as PostgreSQL reads it. Rows come in the order of time, so that most are of the second before. */
export function momentText(ms: number): string {
  const whole = Math.floor(ms / 1_000)
  if (whole !== second) {
    second = whole
    text = new Date(whole * 1_000).toISOString().slice(0, 20)
  }
  return `${text}${String(Math.floor(ms) - whole * 1_000).padStart(3, '0')}Z`
}
