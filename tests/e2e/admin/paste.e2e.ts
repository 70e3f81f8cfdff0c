import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import { expect } from '../player/fixtures.ts'
import { choose, signInToConsole, test } from './staff-page.ts'

// HTML as other programs put it on the clipboard.

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Nội dung bài viết' })
const leftOut = (page: Page) => page.getByRole('status').filter({ hasText: 'Phần không dán được' })

async function openPost(page: Page): Promise<void> {
  await choose(page, 'Bài viết')
  await page.getByRole('button', { name: 'Viết bài' }).click()
  await page.getByRole('dialog').getByLabel('Tiêu đề').fill(`Bài dán ${Date.now()}`)
  await page.getByRole('button', { name: 'Bắt đầu viết' }).click()
  await expect(textOf(page)).toBeVisible()
}

type Clipboard = { html?: string; text?: string; pictures?: Buffer[] }

/** What the clipboard holds is pasted in place of the whole text. */
async function paste(page: Page, { html, text = '', pictures = [] }: Clipboard): Promise<void> {
  await textOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await textOf(page).evaluate(
    (element, given) => {
      const data = new DataTransfer()
      if (given.html !== undefined) data.setData('text/html', given.html)
      if (given.text !== '') data.setData('text/plain', given.text)
      for (const [index, bytes] of given.pictures.entries())
        data.items.add(new File([Uint8Array.from(bytes)], `image${index}.png`, { type: 'image/png' }))
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    { html, text, pictures: pictures.map((picture) => [...picture]) },
  )
}

/** The text as HTML, without what only the browser's editing needs. */
async function written(page: Page): Promise<string> {
  const html = await textOf(page).evaluate((element) => element.innerHTML)
  return html
    .replace(/<br class="ProseMirror-trailingBreak">/g, '')
    .replace(/ (?:class|draggable|contenteditable)="[^"]*"/g, '')
    .replace(/(?:<p><\/p>)+$/, '')
}

const wordItem = (level: number, mark: string, text: string, list = 'l0') =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:${list} level${level} lfo1'>` +
  `<![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${mark}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`

const WORD =
  '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body lang=VI><!--StartFragment-->' +
  '<h1>Luật giải đấu<o:p></o:p></h1><p class=MsoNormal>Mỗi đội có <b>ba</b> người, sân rộng 20 m<sup>2</sup>.<o:p></o:p></p>' +
  wordItem(1, '·', 'Đăng ký') +
  wordItem(2, 'o', 'Trên cổng') +
  wordItem(2, 'o', 'Trước 20 giờ') +
  wordItem(1, '·', 'Điểm danh') +
  '<p class=MsoNormal>Trình tự:</p>' +
  wordItem(1, '1.', 'Bốc thăm') +
  wordItem(1, '2.', 'Thi đấu') +
  '<p class=MsoNormal><img width=200 src="file:///C:/Users/a/clip_image002.png"></p>' +
  '<table class=MsoTableGrid border=1><tr><td width=100><p class=MsoNormal>Đội</p></td><td><p class=MsoNormal>Điểm</p></td></tr></table>' +
  '<!--EndFragment--></body></html>'

/** Word in the browser: a list of its own for each item. */
const onlineItem = (tag: 'ul' | 'ol', level: number, text: string) =>
  `<div class="ListContainerWrapper SCXW1"><${tag} class="BulletListStyle1" role="list"><li data-aria-level="${level}" role="listitem">` +
  `<p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">${text}</span></span><span class="EOP">&nbsp;</span></p></li></${tag}></div>`

const EMOJI = 'https://static.xx.fbcdn.net/images/emoji.php/v9/t4f/1/16'

test('what is pasted arrives in the form of posts', async ({ page, aStaff }) => {
  test.slow()
  await signInToConsole(page, await aStaff('editor'))
  await openPost(page)

  await paste(page, { html: WORD, text: 'Luật giải đấu' })
  expect(await written(page)).toBe(
    '<h2>Luật giải đấu</h2><p>Mỗi đội có <strong>ba</strong> người, sân rộng 20 m².</p>' +
      '<ul><li><p>Đăng ký</p><ul><li><p>Trên cổng</p></li><li><p>Trước 20 giờ</p></li></ul></li><li><p>Điểm danh</p></li></ul>' +
      '<p>Trình tự:</p><ol><li><p>Bốc thăm</p></li><li><p>Thi đấu</p></li></ol><p></p>' +
      '<table><tbody><tr><td><p>Đội</p></td><td><p>Điểm</p></td></tr></tbody></table>',
  )
  await expect(leftOut(page)).toContainText('1 ảnh hoặc tệp mà trình duyệt không đọc được')

  await paste(page, {
    html:
      onlineItem('ul', 1, 'Một') +
      onlineItem('ul', 2, 'Một một') +
      onlineItem('ul', 1, 'Hai') +
      onlineItem('ol', 1, 'Ba'),
  })
  expect((await written(page)).replaceAll('&nbsp;', '')).toBe(
    '<ul><li><p>Một</p><ul><li><p>Một một</p></li></ul></li><li><p>Hai</p></li></ul><ol><li><p>Ba</p></li></ol>',
  )
  await expect(leftOut(page)).toBeHidden()

  // Two lists of one document, one behind the other; emphasis that a whole table or list has is no mark between its parts.
  await paste(page, {
    html:
      wordItem(1, '1.', 'Một') +
      wordItem(1, '1)', 'Lại một', 'l1') +
      '<table style="font-weight:bold"><tr style="font-weight:bold"><td style="font-weight:700">Ô</td></tr></table>' +
      '<ul style="font-weight:bold"><li>Mục</li></ul>',
  })
  expect(await written(page)).toBe(
    '<ol><li><p>Một</p></li></ol><ol><li><p>Lại một</p></li></ol>' +
      '<table><tbody><tr><td><p><strong>Ô</strong></p></td></tr></tbody></table><ul><li><p>Mục</p></li></ul>',
  )

  await paste(page, {
    html:
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span>Sự kiện</span></h1>' +
      '<ul><li dir="ltr"><p dir="ltr"><span style="font-weight:700">Đậm</span><span style="font-style:italic"> nghiêng</span></p></li>' +
      '<ul><li dir="ltr"><p dir="ltr"><span>Con</span></p></li></ul></ul></b>',
  })
  expect(await written(page)).toBe(
    '<h2>Sự kiện</h2><ul><li><p><strong>Đậm</strong><em> nghiêng</em></p><ul><li><p>Con</p></li></ul></li></ul>',
  )

  await paste(page, {
    html:
      `<div dir="auto" style="white-space: pre-wrap;">Nạp thẻ <img alt="😀" height="16" src="${EMOJI}/1f600.png"> nhé\nDòng hai` +
      `<img alt="????" src="${EMOJI}/1f525.png"><img alt="" src="${EMOJI}/1f1fb_1f1f3.png"></div>` +
      '<div>· gạch</div><div>•&nbsp;&nbsp; chấm</div>',
  })
  expect(await written(page)).toBe(
    '<p>Nạp thẻ 😀 nhé<br>Dòng hai🔥🇻🇳</p><p>· gạch</p><ul><li><p>chấm</p></li></ul>',
  )
})

test('what cannot be in a post is told, and a pasted screenshot is uploaded', async ({ page, aStaff }) => {
  test.slow()
  await signInToConsole(page, await aStaff('editor'))
  await openPost(page)

  await paste(page, {
    html:
      '<p style="color: red; font-family: Arial">Chữ <a href="#_ftn1">[1]</a></p><p><img src="https://other.example/a.png" width="300"></p>' +
      '<iframe src="https://www.youtube.com/embed/x"></iframe><svg></svg><p>x<sup>th</sup></p><p style="display:none">ẩn</p>',
  })
  expect(await written(page)).not.toMatch(/ẩn|other\.example|youtube/)
  for (const line of [
    '1 ảnh nằm ở trang khác',
    '1 video, âm thanh hoặc khung nhúng',
    '1 hình vẽ hoặc công thức',
    '1 liên kết có địa chỉ không dùng được',
    '1 chỗ có chữ nâng lên hoặc hạ xuống',
    'Phông chữ, cỡ chữ, màu chữ',
  ])
    await expect(leftOut(page)).toContainText(line)
  await leftOut(page).getByRole('button', { name: 'Đã rõ' }).click()
  await expect(leftOut(page)).toBeHidden()

  const png = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const dialog = page.getByRole('dialog', { name: 'Tải ảnh vừa dán lên' })
  const asData = `data:image/png;base64,${png.toString('base64')}`
  for (const clipboard of [
    { pictures: [png] },
    { html: '<img src="https://other.example/a.png">', pictures: [png] },
    { html: `<p>Chữ quanh ảnh</p><p><img src="${asData}"></p>` },
  ]) {
    await paste(page, clipboard)
    await dialog.getByRole('textbox', { name: 'Mô tả ảnh' }).fill('Ảnh chụp màn hình')
    await dialog.getByRole('button', { name: 'Tải lên' }).click()
    await expect(dialog).toBeHidden()
    await expect(textOf(page).getByRole('img', { name: 'Ảnh chụp màn hình' })).toBeVisible()
  }
  await expect(textOf(page)).toContainText('Chữ quanh ảnh')

  // Text with a picture of it beside it, as Excel copies cells.
  await paste(page, { html: '<table><tr><td>1</td><td>2</td></tr></table>', text: '1\t2', pictures: [png] })
  await expect(dialog).toBeHidden()
  const html = await written(page)
  expect(html).toBe('<table><tbody><tr><td><p>1</p></td><td><p>2</p></td></tr></tbody></table>')
  expect(safeHtml(html)).toBe(html)
})
