import { LEGAL_WORDS } from '../words.ts'
import type { Act } from './audited-act.ts'
import {
  changesOf,
  custom,
  longText,
  momentField,
  plain,
  state,
  things,
  yesNo,
  type Fields,
} from './changes.ts'
import { say, type Part } from './parts.ts'
import type { Sentence } from './sentence.ts'

/** Of what is gone the name in the sentence is enough. */
const done = (words: (act: Act) => Part[], fields: Fields): Sentence => ({
  say: words,
  changes: (act) => (act.at('after') === null ? [] : changesOf(act, fields)),
})

const SERVER: Fields = { name: plain('Tên'), position: plain('Thứ tự') }

const SOURCES = { game: 'Bảng của game', recharge: 'Xếp hạng nạp' }

const GROUP: Fields = {
  name: plain('Tên'),
  description: plain('Mô tả'),
  source: state('Nguồn', SOURCES),
  board: plain('Bảng của game'),
  value_name: plain('Tên cột giá trị'),
  server_id: things('Máy chủ', 'server'),
  position: plain('Thứ tự'),
}

const POST: Fields = {
  title: plain('Tiêu đề'),
  excerpt: plain('Tóm tắt'),
  content: longText('Nội dung'),
  cover: plain('Ảnh bìa'),
  new: yesNo('Nhãn mới'),
  pinned: yesNo('Ghim'),
  published: yesNo('Đăng'),
  publish_at: momentField('Đăng lúc'),
  category_ids: things('Chuyên mục', 'category'),
}

const CATEGORY: Fields = { title: plain('Tên'), description: plain('Mô tả'), position: plain('Thứ tự') }

const PICTURE: Fields = { alt: plain('Mô tả ảnh') }

const LEGAL: Fields = {
  version: custom('Bản', (version) => (typeof version === 'number' && version > 0 ? String(version) : '')),
  content: longText('Nội dung'),
}

const legalText = ({ subject }: Act): Part => ({
  text: `“${(LEGAL_WORDS as Record<string, string>)[subject.id] ?? subject.id}”`,
  thing: subject,
})

export const contentSentences = {
  'servers.create': done((act) => say`thêm máy chủ ${act.itself()}`, SERVER),
  'servers.update': done((act) => say`sửa máy chủ ${act.itself()}`, SERVER),
  'servers.delete': done((act) => say`xóa máy chủ ${act.itself()}`, SERVER),
  'groups.create': done((act) => say`thêm bảng xếp hạng ${act.itself()}`, GROUP),
  'groups.update': done((act) => say`sửa bảng xếp hạng ${act.itself()}`, GROUP),
  'groups.delete': done((act) => say`xóa bảng xếp hạng ${act.itself()}`, GROUP),
  'posts.create': done((act) => say`viết bài ${act.itself('title')}`, POST),
  'posts.update': done((act) => say`sửa bài ${act.itself('title')}`, POST),
  'posts.delete': done((act) => say`xóa bài ${act.itself('title')}`, POST),
  'posts.restore': done(
    (act) => say`khôi phục bản lưu ${act.text('revision')} của bài ${act.itself('title')}`,
    POST,
  ),
  'categories.create': done((act) => say`thêm chuyên mục ${act.itself('title')}`, CATEGORY),
  'categories.update': done((act) => say`sửa chuyên mục ${act.itself('title')}`, CATEGORY),
  'categories.delete': done((act) => say`xóa chuyên mục ${act.itself('title')}`, CATEGORY),
  'pictures.create': done((act) => say`tải lên ảnh ${act.itself('alt')}`, {}),
  'pictures.update': done((act) => say`tải lại ảnh ${act.itself('alt')}, mô tả được thay`, PICTURE),
  'pictures.delete': done((act) => say`xóa ảnh ${act.itself('alt')}`, PICTURE),
  'legal.publish': done((act) => say`công bố bản ${act.text('after.version')} của ${legalText(act)}`, LEGAL),
} satisfies Record<string, Sentence>
