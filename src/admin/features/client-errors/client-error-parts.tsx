import { type ClientErrorRow, CLIENT_ERROR_STATES } from '#contract/operator/client-errors.ts'
import { CLIENT_ERROR_KINDS, CLIENT_SITES } from '#contract/client-errors.ts'
import { Badge } from '#ui/badge.tsx'

type Words<Keys extends readonly string[]> = Record<Keys[number], string>

export const clientErrorsCopy = {
  one: 'Lỗi trình duyệt',
  empty: 'Chưa có trình duyệt nào báo lỗi.',
  note: 'Lỗi mà trang gặp trên máy người xem, những lỗi giống nhau là một dòng. Không lưu ai gặp: số, địa chỉ và chữ trong ngoặc kép đã được thay bằng “…”.',
  rest: 'Những lỗi khác của bản này, không ghi riêng vì đã có quá nhiều loại',
  message: 'Lỗi',
  place: 'Chỗ lỗi',
  site: 'Trang',
  release: 'Bản',
  oldRelease: 'không còn lưu',
  kind: 'Xảy ra ở',
  times: 'Số lần',
  isNew: 'Mới',
  news: { true: 'Bản trước không có', false: 'Bản trước đã có' },
  pages: 'Trên các trang',
  engines: 'Trình duyệt',
  firstSeen: 'Lần đầu',
  lastSeen: 'Lần cuối',
  handledAt: 'Đã xử lý lúc',
  facts: 'Tóm tắt',
  stack: 'Từ chỗ lỗi ra ngoài',
  noPlace: 'Trình duyệt không cho biết chỗ lỗi.',
  handle: 'Đã xử lý',
  handleHint: 'Cảnh báo về lỗi này hết ngay. Nếu một bản sau còn lỗi này, cảnh báo lại hiện.',
  states: { open: 'Chưa xử lý', handled: 'Đã xử lý' } satisfies Words<typeof CLIENT_ERROR_STATES>,
  sites: { player: 'Người chơi', console: 'Vận hành' } satisfies Words<typeof CLIENT_SITES>,
  kinds: {
    script: 'Mã chạy trên trang',
    promise: 'Việc chạy nền',
    part: 'Một phần của trang, phần đó không hiện được',
    code: 'Tải thêm mã của trang',
  } satisfies Words<typeof CLIENT_ERROR_KINDS>,
} as const

export const messageOf = ({ message }: ClientErrorRow) => message || clientErrorsCopy.rest

/** Where our own code is on the way to the error, else the first place. */
export const placeOf = ({ places }: ClientErrorRow) =>
  places.find((place) => place.startsWith('src/')) ?? places[0] ?? '—'

export const releaseOf = ({ release }: ClientErrorRow) =>
  release === '' ? clientErrorsCopy.oldRelease : <code>{release}</code>

export const ClientErrorState = ({ shown: { handled_at } }: { shown: ClientErrorRow }) => (
  <Badge tone={handled_at === null ? 'waiting' : 'success'}>
    {clientErrorsCopy.states[handled_at === null ? 'open' : 'handled']}
  </Badge>
)
