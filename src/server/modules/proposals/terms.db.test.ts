import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { COSTS_NOTHING, termsInWords } from '#contract/operator/proposal-terms.ts'
import { type OperatorProposal, PROPOSAL_KINDS, type ProposalKind } from '#contract/operator/proposals.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { aBudget } from '#tests/support/budgets.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import { anEmail, deliverMail } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { fundedBudget, promotionFields } from '#tests/support/promotions.ts'
import { aTaker } from '#tests/support/rewards.ts'
import { inHours, setSetting } from '#tests/support/settings.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { propose } from './proposals.service.ts'

const mailing = useMailingApp()
const portal = mailing.portal
const { owner } = useOperators(portal, { owner: 'owner', second: 'owner' })

type Change = Pick<OperatorProposal, 'subject' | 'payload'>

const ask = async (path: string, body: object) => {
  const answer = await portal.call('POST', `/api/operator/${path}`, {
    token: owner.token,
    body: { reason: 'Thử điều khoản', ...body },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

const STARTS = { before: 'planned', after: 'running' }

/** One change of each kind, as its module proposes it. */
const CHANGES: Record<Exclude<ProposalKind, 'bank-transfer'>, () => Promise<Change>> = {
  setting: () => Promise.resolve({ subject: 'exchange_rate', payload: { before: '30', after: '3000' } }),
  'planned-price': () =>
    Promise.resolve({
      subject: 'recharge_rate',
      payload: { before: '1', after: '2', starts_at: inHours(30), ends_at: inHours(40) },
    }),
  adjustment: async () => ({
    subject: (await aPlayer(portal, { coins: 7_000 })).id,
    payload: { before: '', after: '2500000' },
  }),
  'second-factor': async () => ({
    subject: (await aPlayer(portal)).id,
    payload: { before: 'on', after: 'off' },
  }),
  roles: async () => ({ subject: (await aPlayer(portal)).id, payload: { before: '', after: 'cashier' } }),
  invite: async () => {
    const { proposal } = await ask('staff/invites', { role: 'owner' })
    await asOwner(portal, `UPDATE proposal SET state = 'outdated', decided_at = now() WHERE id = $1`, [
      proposal.id,
    ])
    return { subject: proposal.subject, payload: { before: '', after: 'owner' } }
  },
  'give-again': async () => {
    const { player, character } = await aTaker(portal)
    const id = randomUUID()
    await asOwner(
      portal,
      `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods)
       VALUES ($1, 'reward', $2, 0, '1', $3, $4, 'x', '[{"kind":"luong","quantity":3000},{"kind":"item","code":"pet","quantity":1}]')`,
      [id, player.id, player.username, character],
    )
    await asOwner(portal, 'INSERT INTO give_again_batch (delivery_ids) VALUES (ARRAY[$1::uuid])', [id])
    const { id: subject } = await portal.db
      .selectFrom('give_again_batch')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return { subject, payload: { before: '', after: '1' } }
  },
  budget: async () => ({
    subject: (await aBudget(portal, owner)).id,
    payload: { before: '', after: '2500000' },
  }),
  promotion: async () => {
    const budget_id = await fundedBudget(portal, 1_000_000)
    const { id } = await ask('promotions', { ...promotionFields(), budget_id })
    return { subject: id, payload: STARTS }
  },
  milestones: async () => {
    const { id } = await ask('milestones', {
      title: 'Mốc cuối tuần',
      starts_at: inHours(0),
      ends_at: inHours(24),
      claims_until: inHours(48),
      steps: [{ at: 100_000, goods: [{ kind: 'luong', quantity: 5_000 }] }],
    })
    return { subject: id, payload: STARTS }
  },
  'gift-codes': async () => {
    for (const name of ['act', 'operator', 'day'])
      await setSetting(portal, `goods_${name}_luong`, '1000000000000000')
    const { batch } = await ask('gift-code-batches', {
      title: 'Mã khai trương',
      coins: null,
      budget_id: null,
      goods: [{ kind: 'luong', quantity: 100_000_000 }],
      starts_at: inHours(0),
      ends_at: inHours(24),
      codes: 1,
      uses_per_code: 1_000_000,
      per_player: 1,
      server_id: null,
    })
    return { subject: batch.id, payload: STARTS }
  },
}

/** What is said of each change, beside other words; the prices are those of a new portal. */
const SAYS: Record<keyof typeof CHANGES, readonly string[]> = {
  setting: ['Số lượng cho mỗi 100 TCoin: 30 → 3,000', 'mỗi 1,000,000 TCoin đổi được 33,000,000 lượng'],
  'planned-price': [
    'TCoin cho mỗi 1 VND: 1 → 2',
    'Thời gian: từ ',
    'mỗi 1,000,000 đ nạp vào thành 2,000,000 TCoin',
  ],
  adjustment: [
    'Thay đổi: +2,500,000 TCoin',
    'Số dư của người chơi: 7,000 TCoin → 2,507,000 TCoin',
    'Tốn nhiều nhất: 2,500,000 TCoin ≈ 2,500,000 đ',
  ],
  'second-factor': ['Xác thực hai lớp: Đang bật → Tắt', COSTS_NOTHING],
  roles: ['Vai trò: Không có vai trò → Thủ quỹ', 'cộng được 1,000,000 TCoin ≈ 1,000,000 đ mỗi 24 giờ'],
  invite: ['Vai trò của người nhận lời mời: Không có vai trò → Chủ', 'Thời hạn: 48 giờ'],
  'give-again': ['Giao lại 1 lượt, không thu TCoin', '3,000 lượng ≈ 10,000 TCoin ≈ 10,000 đ; vật phẩm pet'],
  budget: ['Ngân sách còn: 0 TCoin → 2,500,000 TCoin', '2,500,000 TCoin ≈ 2,500,000 đ'],
  promotion: ['Tặng thêm 20% TCoin', 'Thời gian: từ ', 'Tốn nhiều nhất: 1,000,000 TCoin ≈ 1,000,000 đ'],
  milestones: ['Nạp đủ 100,000 đ: 5,000 lượng ≈ 16,667 TCoin ≈ 16,667 đ', 'Nhận quà đến: '],
  'gift-codes': [
    'Mỗi lượt dùng mã: 100,000,000 lượng ≈ 333,333,334 TCoin ≈ 333,333,334 đ',
    '1 mã × 1,000,000 lượt = 1,000,000 lượt',
    'Mỗi người chơi: tối đa 1 lượt',
    'Các đợt mã quà đang chạy: không có → thêm “Mã khai trương”',
    'Tốn nhiều nhất: 100,000,000,000,000 lượng ≈ 333,333,333,333,334 TCoin ≈ 333,333,333,333,334 đ (theo giá hôm nay: 100 TCoin đổi 30 lượng, 1 đ được 1 TCoin)',
  ],
}

const waiting = async (): Promise<OperatorProposal[]> =>
  (await portal.call('GET', '/api/operator/proposals?filter={"state":"waiting"}', { token: owner.token }))
    .body

test('every kind of proposal has an example here', () => {
  expect([...Object.keys(CHANGES), 'bank-transfer'].toSorted()).toEqual(PROPOSAL_KINDS.toSorted())
})

test.for(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
  'a proposal of the kind %s states its terms on the screen, in the letter and in the trail',
  async (kind) => {
    const email = anEmail()
    await asOwner(
      portal,
      'UPDATE user_contacts SET email = $1, email_verified_at = now() WHERE user_id = $2',
      [email, owner.id],
    )
    const change = await CHANGES[kind]()
    const proposal = await inTransaction(portal.db, (tx) =>
      propose(portal.deps, tx, {
        kind,
        ...change,
        reason: 'Thử',
        operatorId: owner.id,
        requestId: randomUUID(),
      }),
    )
    const listed = (await waiting()).find(({ id }) => id === proposal?.id)
    expect(listed?.terms).not.toBeNull()
    const words = listed?.terms ? termsInWords(listed.terms) : []
    for (const part of SAYS[kind]) expect(words.join('\n')).toContain(part)
    await deliverMail(portal)
    const letter = mailing.server.to(email).at(-1)?.text ?? ''
    for (const line of words) expect(letter.replaceAll(/\s+/g, ' ')).toContain(line)
    const trail = await trailRows(portal, { subject: { type: kind, id: change.subject } })
    expect(trail.at(-1)).toMatchObject({ action: 'proposals.propose', details: { terms: listed?.terms } })
  },
)

test('a proposal about a bank transfer states the transfer and the wallet', async () => {
  const player = await aPlayer(portal, { coins: 400 })
  await asOwner(
    portal,
    `WITH transfer AS (
       INSERT INTO bank_transaction (account_number, direction, amount, state, reason, booked_at)
       VALUES ('1', 'in', 3000000, 'review', 'no-code', now()) RETURNING id)
     INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
     SELECT 'bank-transfer', transfer.id::text,
            jsonb_build_object('act', 'credit', 'order_id', NULL, 'user_id', $1::text, 'rate', 1, 'coins', 3000000), 'Thử', $2
       FROM transfer`,
    [player.id, owner.id],
  )
  const listed = (await waiting()).find(({ kind }) => kind === 'bank-transfer')
  const words = listed?.terms ? termsInWords(listed.terms).join('\n') : ''
  for (const part of [
    'Khoản chuyển: 3,000,000 đ',
    'Số dư của người chơi: 400 TCoin → 3,000,400 TCoin',
    'Tốn nhiều nhất: 3,000,000 TCoin ≈ 3,000,000 đ',
  ])
    expect(words).toContain(part)
})
