import { ok } from 'node:assert/strict'
import { buyLuong } from '#tests/e2e/player/accounts.ts'
import { registerTrader } from '#tests/e2e/player/fixtures.ts'
import { aStaffMember } from '#tests/e2e/player/staff.ts'
import { act, type EngineBrowser } from '../browser.ts'
import { enter, expectSameDocument, markDocument, type World } from './world.ts'

const ANSWER = 'Bạn hãy thoát hẳn game rồi vào lại đúng nhân vật nhé.'

/** A player reports a purchase with a picture; the answer comes to the open page. */
export async function caseWithPicture(browser: EngineBrowser, world: World): Promise<void> {
  const { request, dataDir, picture } = world
  const { token } = await registerTrader(request, 30_000)
  await buyLuong(request, token)
  const support = await aStaffMember(request, dataDir, 'support')
  const person = await enter(browser, world, { token, path: '/user/transactions?type=exchange' })
  await person.press('main a', 'Báo vấn đề')
  await person.sees('main', 'Về: Đổi lượng −10,000 TCoin')
  await person.type('Vấn đề của bạn', 'Tôi đổi lượng mà vào game chưa thấy.')
  await browser.choose('main input[type=file]', picture)
  // Drawn by the page itself.
  await act(browser, ({ until }) =>
    until(() => {
      const drawn = document.querySelector<HTMLCanvasElement>('canvas[aria-label="man-hinh.png"]')
      return drawn?.getContext('2d')?.getImageData(drawn.width / 2, drawn.height / 2, 1, 1).data[1] === 125
    }, 'the picture that was chosen'),
  )
  await person.press('main button[type=submit]', 'Gửi')
  const id = /\d+$/.exec((await person.at('^/user/help/\\d+$')) ?? '')?.[0]
  await person.sees('main', 'Tôi đổi lượng mà vào game chưa thấy.')
  await person.sees('main [aria-label="Ảnh 1 đã gửi"]')
  await markDocument(browser)
  const answered = await request.post(`/api/operator/cases/${id}/messages`, {
    headers: { authorization: `Bearer ${support.token}` },
    data: { text: ANSWER },
  })
  ok(answered.ok(), await answered.text())
  await person.reads(ANSWER)
  await person.type('Viết tiếp', 'Đã thấy rồi, cảm ơn!')
  await person.press('main button[type=submit]', 'Gửi')
  await person.sees('[aria-label="Trao đổi"]', 'Đã thấy rồi, cảm ơn!')
  await expectSameDocument(browser)
}
