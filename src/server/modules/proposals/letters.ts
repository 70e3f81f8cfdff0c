import { formatMoment } from '#contract/format.ts'
import { type ProposalTerms, termsInWords } from '#contract/operator/proposal-terms.ts'
import type { Mail } from '#server/modules/mail/index.ts'

// Every letter goes to the whole staff. The reason is what the operator wrote; no other free text stands in them.

type Receiver = { username: string; to: string }

/** `proposer` is a name. */
export type Facts = { title: string; terms: ProposalTerms; reason: string; proposer: string }

const IF_WRONG =
  'Nếu bạn thấy thay đổi này không đúng, hãy kiểm tra ngay tài khoản của người đề xuất và tài khoản nhận tiền của cổng.'

const REFUSE_IN_TIME =
  'Nếu bạn thấy thay đổi này không đúng, hãy vào trang Đề xuất của trang vận hành bác nó trước giờ đó, và kiểm tra ngay tài khoản của người đề xuất.'

const termParagraphs = (terms: ProposalTerms): string[] => termsInWords(terms).map((line) => `– ${line}`)

const names = (people: readonly string[]): string => people.join(', ')

/** Whom it waits for: nobody else counts as another person; everybody is asked; one other person is enough. */
export type Waits =
  | { for: 'alone'; takesEffectAt: string }
  | { for: 'everybody'; asked: readonly string[]; earliest: string }
  | { for: 'one' }

function waitText(waits: Waits): string {
  if (waits.for === 'one' || (waits.for === 'everybody' && waits.asked.length === 1))
    return 'Thay đổi chỉ có hiệu lực khi một người khác có quyền duyệt.'
  if (waits.for === 'alone')
    return `Không có ai khác giữ quyền này, nên thay đổi sẽ tự có hiệu lực lúc ${formatMoment(waits.takesEffectAt)} (giờ Việt Nam) nếu không bị bác hay rút lại.`
  const { asked, earliest } = waits
  return `Được hỏi: ${names(asked)}. Thay đổi có hiệu lực khi tất cả đã duyệt; nếu mới có một người duyệt, có hiệu lực lúc ${formatMoment(earliest)} (giờ Việt Nam) nếu không ai bác.`
}

export const proposedMail = (
  receiver: Receiver,
  { title, terms, reason, proposer, waits }: Facts & { waits: Waits },
): Mail => ({
  ...receiver,
  kind: 'proposal-made',
  subject: `Đề xuất thay đổi: ${title}`,
  paragraphs: [
    `${proposer} đề xuất thay đổi “${title}”.`,
    ...termParagraphs(terms),
    `Lý do: ${reason}`,
    waitText(waits),
  ],
  closing: [IF_WRONG],
})

type Agreed = Facts & { agreed: readonly string[]; asked: readonly string[]; takesEffectAt: string }

/** Somebody agreed, and others are asked still. */
export const agreedMail = (
  receiver: Receiver,
  { title, terms, proposer, reason, agreed, asked, takesEffectAt }: Agreed,
): Mail => ({
  ...receiver,
  kind: 'proposal-agreed',
  subject: `Đã có người đồng ý: ${title}`,
  paragraphs: [
    `Đã đồng ý với đề xuất “${title}” của ${proposer}: ${names(agreed)}.`,
    ...termParagraphs(terms),
    `Lý do của đề xuất: ${reason}`,
    `Có hiệu lực lúc ${formatMoment(takesEffectAt)} (giờ Việt Nam) nếu không ai từ chối. Còn được hỏi: ${names(asked)}.`,
  ],
  closing: [REFUSE_IN_TIME],
})

type Ended = Pick<Facts, 'title' | 'proposer'> & { by: string; reason: string; how: keyof typeof ENDINGS }

const ENDINGS = {
  reject: {
    subject: 'Đã bác đề xuất',
    text: ({ by, title, proposer }: Omit<Ended, 'how'>) => `${by} đã bác đề xuất “${title}” của ${proposer}.`,
  },
  withdraw: {
    subject: 'Đã rút đề xuất',
    text: ({ by, title }: Omit<Ended, 'how'>) => `${by} đã rút đề xuất “${title}”.`,
  },
  edited: {
    subject: 'Đề xuất không còn hiệu lực',
    text: ({ by, title, proposer }: Omit<Ended, 'how'>) =>
      `${by} đã sửa điều khoản, nên đề xuất “${title}” của ${proposer} không còn hiệu lực và phải được đề xuất lại.`,
  },
} as const

/** Nothing was changed: somebody refused, the proposer took it back, or its terms were changed. */
export const endedMail = (receiver: Receiver, { how, ...ended }: Ended): Mail => ({
  ...receiver,
  kind: 'proposal-ended',
  subject: `${ENDINGS[how].subject}: ${ended.title}`,
  paragraphs: [`${ENDINGS[how].text(ended)} Không có gì thay đổi.`, `Lý do: ${ended.reason}`],
  closing: ['Nếu bạn không biết việc này, hãy hỏi người đã làm và xem nhật ký vận hành.'],
})

export const doneMail = (receiver: Receiver, { title, terms, reason, proposer }: Facts): Mail => ({
  ...receiver,
  kind: 'proposal-done',
  subject: `Đã thay đổi: ${title}`,
  paragraphs: [
    `“${title}” vừa được thay đổi theo đề xuất của ${proposer}.`,
    ...termParagraphs(terms),
    `Lý do: ${reason}`,
  ],
  closing: [IF_WRONG],
})
