// VietQR is the NAPAS profile of the EMVCo merchant-presented code: ID, two-digit length, value, nested, with a CRC.
// One table of shapes serves both directions, so nothing is written that would not be read back.

export type VietQrService = 'QRIBFTTA' | 'QRIBFTTC'
export type VietQrInitiation = '11' | '12'

export type VietQr = {
  bin: string
  account: string
  /** QRIBFTTA pays an account, QRIBFTTC a card. */
  service: VietQrService
  /** 11 may be paid many times, 12 is made for one payment. */
  initiation: VietQrInitiation
  amount?: number
  bill?: string
  reference?: string
  memo?: string
  /** Whatever else the code carries, by its tag: `80`, or `62-07` for one inside the additional fields. */
  extra?: Record<string, string>
}

export type VietQrInput = Omit<VietQr, 'service' | 'initiation'> &
  Partial<Pick<VietQr, 'service' | 'initiation'>>

export type VietQrField = keyof VietQr
export type VietQrFault =
  | VietQrField
  | 'too-long'
  | 'characters'
  | 'crc'
  | 'structure'
  | 'version'
  | 'template'
  | 'currency'
  | 'country'

export type VietQrDecoded = { ok: true; qr: VietQr } | { ok: false; reason: VietQrFault }

export class VietQrFieldError extends Error {
  readonly field: VietQrField

  constructor(field: VietQrField) {
    super(`VietQR: the field "${field}" cannot be written`)
    this.name = 'VietQrFieldError'
    this.field = field
  }
}

const MAX_TEXT_CHARS = 512
const MAX_VALUE_CHARS = 99
const MAX_AMOUNT_VND = 9_999_999_999_999
const SCHEME = 'A000000727'
const ADDITIONAL = /^[\x20-\x7e]{1,25}$/
const SHAPES = {
  bin: /^\d{6}$/,
  account: /^[0-9A-Z]{1,19}$/,
  service: /^QRIBFTT[AC]$/,
  initiation: /^1[12]$/,
  bill: ADDITIONAL,
  reference: ADDITIONAL,
  memo: ADDITIONAL,
} as const
const EXTRA_VALUE = /^[\x20-\x7e]{1,99}$/
const EXTRA_TAG = /^(?:62-)?\d\d$/
const OWN_TAGS = new Set(['00', '01', '38', '53', '54', '58', '62', '63', '62-01', '62-05', '62-08'])

export function encodeVietQr(input: VietQrInput): string {
  const initiation = input.initiation ?? (input.amount === undefined ? '11' : '12')
  const qr: VietQr = { ...input, service: input.service ?? 'QRIBFTTA', initiation }
  const fault = findFault(qr)
  if (fault !== undefined) throw new VietQrFieldError(fault)

  const beneficiary = join({ '00': qr.bin, '01': qr.account })
  const extra = Object.entries(qr.extra ?? {})
  const additional = join({
    '01': qr.bill,
    '05': qr.reference,
    '08': qr.memo,
    ...Object.fromEntries(extra.filter(isAdditional).map(([tag, value]) => [tag.slice(3), value])),
  })
  if (additional.length > MAX_VALUE_CHARS) throw new VietQrFieldError('extra')

  const open = join({
    '00': '01',
    '01': qr.initiation,
    '38': join({ '00': SCHEME, '01': beneficiary, '02': qr.service }),
    '53': '704',
    '54': qr.amount?.toString(),
    '58': 'VN',
    '62': additional || undefined,
    ...Object.fromEntries(extra.filter((entry) => !isAdditional(entry))),
  })
  const signed = `${open}6304`
  const text = signed + crcOf(signed)
  if (text.length > MAX_TEXT_CHARS) throw new VietQrFieldError('extra')
  return text
}

export function decodeVietQr(text: string): VietQrDecoded {
  if (text.length > MAX_TEXT_CHARS) return refused('too-long')
  if (!/^[\x20-\x7e]*$/.test(text)) return refused('characters')
  // Some bank apps print the digits of the CRC in lower case.
  if (text.slice(-4).toUpperCase() !== crcOf(text.slice(0, -4))) return refused('crc')

  const root = split(text)
  const template = split(root?.get('38') ?? '')
  const beneficiary = split(template?.get('01') ?? '')
  const additional = split(root?.get('62') ?? '')
  if (!root || !template || !beneficiary || !additional) return refused('structure')
  if (!text.startsWith('00') || text.slice(-8, -4) !== '6304') return refused('structure')

  if (root.get('00') !== '01') return refused('version')
  if (template.get('00') !== SCHEME || template.size !== 3) return refused('template')
  if (beneficiary.size !== 2) return refused('template')
  if (root.get('53') !== '704') return refused('currency')
  if (root.get('58') !== 'VN') return refused('country')
  const amount = root.get('54')
  if (amount !== undefined && !/^[1-9]\d{0,12}$/.test(amount)) return refused('amount')

  const qr: VietQr = withoutUndefined({
    bin: beneficiary.get('00') ?? '',
    account: beneficiary.get('01') ?? '',
    // The two narrow types are proven by findFault, two lines below.
    service: template.get('02') as VietQrService,
    initiation: root.get('01') as VietQrInitiation,
    amount: amount === undefined ? undefined : Number(amount),
    bill: additional.get('01'),
    reference: additional.get('05'),
    memo: additional.get('08'),
    extra: extraOf(root, additional),
  })
  const fault = findFault(qr)
  return fault === undefined ? { ok: true, qr } : refused(fault)
}

function findFault(qr: VietQr): VietQrField | undefined {
  for (const field of ['bin', 'account', 'service', 'initiation', 'bill', 'reference', 'memo'] as const) {
    const value: string | undefined = qr[field]
    const isOptional = field === 'bill' || field === 'reference' || field === 'memo'
    if (value === undefined ? !isOptional : !SHAPES[field].test(value)) return field
  }
  const { amount, extra = {} } = qr
  if (amount !== undefined && !(Number.isInteger(amount) && amount >= 1 && amount <= MAX_AMOUNT_VND))
    return 'amount'
  return Object.entries(extra).every(isExtra) ? undefined : 'extra'
}

function isExtra([tag, value]: [string, string]): boolean {
  const shape = isAdditional([tag, value]) ? ADDITIONAL : EXTRA_VALUE
  return EXTRA_TAG.test(tag) && !OWN_TAGS.has(tag) && shape.test(value)
}

function isAdditional([tag]: [string, string]): boolean {
  return tag.startsWith('62-')
}

function extraOf(
  root: Map<string, string>,
  additional: Map<string, string>,
): Record<string, string> | undefined {
  const nested = [...additional].map(([tag, value]): [string, string] => [`62-${tag}`, value])
  const others = [...root, ...nested].filter(([tag]) => !OWN_TAGS.has(tag))
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

/** Writes the objects in the order of their tags, which is the order every generator in use agrees on. */
function join(fields: Record<string, string | undefined>): string {
  return Object.entries(fields)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([tag, value]) => (value === undefined ? '' : tag + String(value.length).padStart(2, '0') + value))
    .join('')
}

/** Reads objects to the exact end of the text; a remainder, an empty value or a repeated tag spoils the whole. */
function split(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const head = text.slice(at, at + 4)
    if (!/^\d{4}$/.test(head)) return undefined
    const tag = head.slice(0, 2)
    const end = at + 4 + Number(head.slice(2))
    if (end === at + 4 || end > text.length || fields.has(tag)) return undefined
    fields.set(tag, text.slice(at + 4, end))
    at = end
  }
  return fields
}

/** CRC-16/CCITT-FALSE, four upper-case hexadecimal digits. */
function crcOf(text: string): string {
  let crc = 0xffff
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

function withoutUndefined(qr: VietQr): VietQr {
  return Object.fromEntries(Object.entries(qr).filter(([, value]) => value !== undefined)) as VietQr
}

function refused(reason: VietQrFault): VietQrDecoded {
  return { ok: false, reason }
}
