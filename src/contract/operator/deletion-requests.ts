import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../fields.ts'
import { formatNumber } from '../format.ts'
import {
  DELETION_STATES,
  deletionRequestSchema,
  OPEN_MATTERS,
  type OpenMatter,
} from '../accounts/personal-data.ts'
import {
  actOnRow,
  growingListQuery,
  idFilter,
  messageToPlayer,
  oneOrMany,
  oneRow,
  onRow,
  person,
  reason,
} from './fields.ts'
import { permitted } from './roles.ts'

const openMatters = z.array(z.object({ matter: z.enum(OPEN_MATTERS), count: z.number() }))

export const operatorDeletionSchema = z.extend(deletionRequestSchema, {
  user: person,
  decided_at: z.nullable(moment),
  decided_by: z.nullable(person),
  /** What was open when a worker came to carry it out; null when nothing was, or none came. */
  hindered_by: z.nullable(openMatters),
  /** How often a worker has tried in vain. */
  attempt: z.int(),
})

export const operatorDeletionDetailSchema = z.extend(operatorDeletionSchema, {
  /** What has to be ended before the account can be erased. */
  open_matters: openMatters,
})

export type OperatorDeletion = z.output<typeof operatorDeletionSchema>
export type OperatorDeletionDetail = z.output<typeof operatorDeletionDetailSchema>

const READERS = permitted('users.read')
const ERASERS = permitted('users.erase')

export const operatorDeletions = {
  list: endpoint('GET', '/operator/deletion-requests', READERS, {
    summary: 'Who asked for their account to be erased, by the moment it is due. At most 10,000 are counted.',
    query: growingListQuery(['due_at'], {
      state: z.optional(oneOrMany(z.enum(DELETION_STATES))),
      user_id: z.optional(idFilter),
    }),
    answer: z.array(operatorDeletionSchema),
  }),
  get: endpoint('GET', '/operator/deletion-requests/{id}', READERS, {
    summary: 'One request, with what has to be ended before it can be carried out.',
    ...oneRow(operatorDeletionDetailSchema),
  }),
  carryOut: endpoint('POST', '/operator/deletion-requests/{id}/carry-out', ERASERS, {
    summary:
      'Has a worker erase the account, for good. Needs a step-up; refused while something of the player is open.',
    ...actOnRow(operatorDeletionSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  refuse: endpoint('POST', '/operator/deletion-requests/{id}/refuse', ERASERS, {
    summary: 'Refuses the request. The player reads the message.',
    body: z.object({ message: messageToPlayer, reason }),
    answer: operatorDeletionSchema,
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}

const NAMES: Record<OpenMatter, (count: string) => string> = {
  role: (count) => `${count} vai trò vận hành`,
  balance: (count) => `${count} TCoin trong ví`,
  debt: (count) => `khoản nợ ${count} TCoin`,
  order: (count) => `${count} đơn nạp đang chờ tiền`,
  delivery: (count) => `${count} món đang giao`,
  claim: (count) => `${count} yêu cầu kiểm tra khoản nạp chưa được trả lời`,
  'bank-transfer': (count) => `${count} khoản chuyển đang chờ xử lý`,
  refund: (count) => `${count} khoản hoàn qua MoMo chưa xong`,
  proposal: (count) => `${count} đề xuất về tài khoản đang chờ duyệt`,
  'tournament-fee': (count) => `${count} khoản lệ phí giải đấu đang thu hoặc đang trả lại`,
}

/** Why an account cannot be erased yet, as a part of a sentence. */
export const describeMatter = ({ matter, count }: { matter: OpenMatter; count: number }): string =>
  NAMES[matter](formatNumber(count))
