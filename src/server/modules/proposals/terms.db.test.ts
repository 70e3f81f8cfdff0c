import { expect, test } from 'vitest'
import { COSTS_NOTHING, termsInWords } from '#contract/operator/proposal-terms.ts'
import { type OperatorProposal, PROPOSAL_KINDS } from '#contract/operator/proposals.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import { anEmail, deliverMail } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { type ExampleKind, exampleChanges, proposeExample } from '#tests/support/proposal-examples.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const mailing = useMailingApp()
const portal = mailing.portal
const { owner } = useOperators(portal, { owner: 'owner', second: 'owner' })

const changes = () => exampleChanges(portal, owner)

/** What is said of each change, beside other words; the prices are those of a new portal. */
const SAYS: Record<ExampleKind, readonly string[]> = {
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
  'account-return': [
    'Liên hệ đã xác minh của tài khoản: Chưa có → Số điện thoại mà khách đã xác minh ở yêu cầu hỗ trợ số ',
    'Liên hệ chưa xác minh của tài khoản: Có, không trùng với liên hệ của khách; sẽ bị gỡ',
    'Số dư của người chơi: 0 TCoin',
    'sau đó khách vào được tài khoản này',
  ],
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
  expect([...Object.keys(SAYS), 'bank-transfer'].toSorted()).toEqual(PROPOSAL_KINDS.toSorted())
})

test.for(Object.keys(SAYS) as ExampleKind[])(
  'a proposal of the kind %s states its terms on the screen, in the letter and in the trail',
  async (kind) => {
    const email = anEmail()
    await asOwner(
      portal,
      'UPDATE user_contacts SET email = $1, email_verified_at = now() WHERE user_id = $2',
      [email, owner.id],
    )
    const change = await changes()[kind]()
    const proposal = await proposeExample(portal, owner, { kind, ...change })
    const listed = (await waiting()).find(({ id }) => id === proposal.id)
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
