import { read } from '#admin/query.ts'
import { downloadKeys } from '#contract/downloads.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { settingDefinitions, type SettingKey, settingText } from '#contract/operator/settings.ts'
import { Alert } from '#ui/alert.tsx'
import { Facts } from '#ui/facts.tsx'
import { vnd } from './format.ts'
import { kitCopy } from './kit.copy.ts'
import { Loaded } from './loaded.tsx'

const copy = kitCopy.setting

const TIMES = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 1 })

/** How much a changed price or limit is compared with today; null where there is nothing to compare. */
function factorText(factor: number | null): string | null {
  if (factor === null || factor === 1) return null
  if (factor >= 2) return copy.times(TIMES.format(factor))
  if (factor > 1) return copy.more(TIMES.format((factor - 1) * 100))
  return factor > 0 && factor <= 0.5
    ? copy.fraction(TIMES.format(1 / factor))
    : copy.less(TIMES.format((1 - factor) * 100))
}

type Change = {
  id: string
  before: string
  after: string
  /** How many times its present value a number becomes, where somebody decides about it. */
  factor?: number | null | undefined
}

/** What a value was and what it becomes. */
export function SettingChange({ id, before, after, factor = null }: Change) {
  const text = factorText(factor)
  const isLarge = factor !== null && (factor >= 2 || factor <= 0.5)
  return (
    <>
      <dl className="grid gap-2 sm:grid-cols-2">
        <div className="rounded-lg bg-sunken px-3 py-2">
          <dt className="text-sm text-soft">{copy.before}</dt>
          <dd className="wrap-anywhere">{settingText(id, before)}</dd>
        </div>
        <div className="rounded-lg bg-wash px-3 py-2">
          <dt className="text-sm text-soft">{copy.after}</dt>
          <dd className="font-bold wrap-anywhere">{settingText(id, after)}</dd>
          {text !== null && !isLarge && <dd className="text-sm text-soft">{text}</dd>}
        </div>
      </dl>
      {text !== null && isLarge && <Alert>{copy.checkFactor(text)}</Alert>}
    </>
  )
}

const ofDownloads: ReadonlySet<string> = new Set(
  Object.values(downloadKeys).flatMap((keys) => keys.flatMap((key) => [key, `${key}_file`])),
)

/** Whether a setting belongs to a version of the game; these have a screen of their own. */
export const isOfDownloads = (key: string): boolean => ofDownloads.has(key)

/** Whether a setting belongs to the daily check-in, which has a screen of its own too. */
export const isOfCheckIn = (key: string): boolean => key.startsWith('check_in_')

/** The screen on which a setting is changed. */
export function settingAddress(key: string): string {
  if (isOfDownloads(key)) return `/downloads#${key}`
  if (isOfCheckIn(key)) return `/check-in#${key}`
  const section = Object.hasOwn(settingDefinitions, key)
    ? settingDefinitions[key as SettingKey].section
    : 'content'
  return `/settings/${section}#${key}`
}

const qrCopy = kitCopy.qr

/** The QR of a receiving account as players would see it, to be scanned and paid once before the account counts. */
export function TestQr({ value }: { value: string }) {
  if (value === '') return <Alert tone="note">{qrCopy.closed}</Alert>
  return (
    <Loaded query={read(operatorSettings.previewQr, { body: { value } })}>
      {({ bin, bank, number, name, amount, memo, qr_svg }) => (
        <figure className="grid items-center gap-3 sm:grid-cols-[11rem_1fr]">
          <img
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr_svg)}`}
            width={176}
            height={176}
            alt={qrCopy.alt(number)}
            className="rounded-lg border border-line bg-[#fff]"
          />
          <figcaption className="space-y-2">
            <p>{qrCopy.scan}</p>
            <Facts
              facts={[
                { label: qrCopy.bank, value: bank },
                { label: qrCopy.bin, value: bin },
                { label: qrCopy.number, value: number },
                { label: qrCopy.name, value: name },
                { label: qrCopy.amount, value: vnd(amount) },
                { label: qrCopy.memo, value: memo },
              ]}
            />
          </figcaption>
        </figure>
      )}
    </Loaded>
  )
}
