import { match } from 'node:assert/strict'
import { act, type EngineBrowser, visit } from '../browser.ts'
import { KEY } from '../person.ts'
import { enterConsole, expectPicture, type World } from './world.ts'

const TEXT = '[role=textbox][aria-label="Nội dung bài viết"]'
const ALT = 'Đèn lồng đỏ'

/** An editor writes a post by keyboard, formats it, adds a picture and publishes it; the site shows it. */
export async function postEditor(browser: EngineBrowser, world: World): Promise<void> {
  const { url, picture } = world
  const { person } = await enterConsole(browser, world, 'editor')
  const title = `Lễ hội đêm nay ${Date.now()}`
  await visit(browser, `${url}/admin/posts`)
  await person.press('button', 'Viết bài')
  await person.type('Tiêu đề', title)
  await person.press('dialog button', 'Bắt đầu viết')
  await person.sees('h1', title)
  await person.press(TEXT)
  await person.keys('Tiếng Việt có ')
  await person.chord(KEY.control, 'b')
  await person.keys('chữ đậm')
  await person.chord(KEY.control, 'b')
  await person.keys(`, đủ dấu: ưỡn ẹo.${KEY.enter}Dòng hai.${KEY.enter}`)
  await person.press('[role=toolbar] button', 'Ảnh')
  await browser.choose('dialog input[type=file]', picture)
  await person.type('Mô tả ảnh', ALT)
  await person.press('dialog button[type=submit]', 'Tải lên')
  await expectPicture(browser, `${TEXT} img[alt="${ALT}"]`)
  await person.reads('Đã lưu nháp lúc')
  // What is stored as a draft is there again.
  await visit(browser, await act(browser, async () => location.href))
  await person.reads('Đang viết tiếp bản nháp')
  await expectPicture(browser, `${TEXT} img[alt="${ALT}"]`)
  await person.choose('Hiển thị', 'Đăng ngay')
  await person.press('main button', 'Lưu')
  await person.sees('main a', 'Mở trên cổng')
  const path = await act(
    browser,
    async () =>
      [...document.querySelectorAll('a')].find(({ textContent }) => textContent.includes('Mở trên cổng'))
        ?.pathname,
  )
  const page = await (await fetch(url + path)).text()
  match(page, /<p>Tiếng Việt có <strong>chữ đậm<\/strong>, đủ dấu: ưỡn ẹo\.<\/p><p>Dòng hai\.<\/p>/)
  await visit(browser, url + path)
  await person.sees('h1', title)
  await expectPicture(browser, `main img[alt="${ALT}"]`)
}
