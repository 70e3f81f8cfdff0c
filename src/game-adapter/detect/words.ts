import type { Column, Table } from '../schema.ts'

/** What such games call their columns, in English and Vietnamese without marks, the likeliest first. */
const WORDS = {
  account: [
    'username',
    'user',
    'account',
    'taikhoan',
    'login',
    'loginname',
    'tk',
    'accountname',
    'tendangnhap',
    'name',
    'ten',
  ],
  password: ['password', 'pass', 'passwd', 'matkhau', 'pwd', 'mk', 'passwordhash', 'hash'],
  list: [
    'ninja',
    'ninjas',
    'characters',
    'character',
    'chars',
    'nhanvat',
    'players',
    'heroes',
    'listchar',
    'dsnhanvat',
  ],
  character: [
    'charactername',
    'charname',
    'nickname',
    'nick',
    'tennhanvat',
    'ninjaname',
    'name',
    'ten',
    'cname',
  ],
  key: [
    'userid',
    'accountid',
    'playerid',
    'uid',
    'iduser',
    'idaccount',
    'idplayer',
    'ownerid',
    'accid',
    'idtaikhoan',
    'taikhoanid',
    'idtk',
    'username',
    'taikhoan',
    'account',
  ],
  server: ['serverid', 'idserver', 'server', 'sv', 'svid', 'maychu', 'idmaychu', 'zoneid', 'worldid'],
  head: ['head', 'headid', 'idhead', 'avatar', 'dau'],
  class: [
    'classid',
    'nclass',
    'class',
    'clazz',
    'idclass',
    'phai',
    'monphai',
    'hephai',
    'lop',
    'gender',
    'job',
    'he',
  ],
  level: ['level', 'lv', 'lever', 'capdo', 'cap', 'lvl', 'cap_do'],
  power: ['exp', 'power', 'experience', 'kinhnghiem', 'sucmanh', 'diemsucmanh', 'kn', 'xp', 'sm'],
  yen: ['yen', 'coinlock', 'xukhoa', 'yenkhoa', 'lockcoin'],
  luong: ['luong', 'gem', 'diamond', 'ngoc', 'kimcuong', 'gold', 'vang', 'knb', 'ruby'],
  banned: [
    'ban',
    'banned',
    'isban',
    'isbanned',
    'lock',
    'loginlock',
    'locked',
    'islock',
    'khoa',
    'bikhoa',
    'isblocked',
    'blocked',
  ],
  phone: [
    'phone',
    'sdt',
    'sodienthoai',
    'phonenumber',
    'numberphone',
    'dienthoai',
    'sodt',
    'mobile',
    'telephone',
    'tel',
  ],
  email: ['email', 'mail', 'gmail', 'emailaddress', 'thudientu'],
} as const

export type Word = keyof typeof WORDS

/** The parts of a name: `idTaiKhoan`, `id_tai_khoan` and `Id-Tài-Khoản` have the same. */
export const partsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/đ/gi, 'd')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')

export const plain = (name: string): string => partsOf(name).join('')

const singular = (part: string) => (part.length > 3 ? part.replace(/(?<!s)s$/, '') : part)

/** What a table's name says, without the prefixes of a whole database (`tb_`, `nso_`): `tb_users` is about `user`. */
export const subjectsOf = (table: Pick<Table, 'name'>): string[] => partsOf(table.name).map(singular)

/** The part that most columns of a table begin with, as in `acc_id`, `acc_name`. */
function commonPrefix(table: Table): string | null {
  const firsts = [...table.columns.values()]
    .map(({ name }) => partsOf(name))
    .filter(({ length }) => length > 1)
  const [first] = firsts.map(([part = '']) => part)
  const isCommon =
    first !== undefined && firsts.length * 2 > table.columns.size && firsts.every(([part]) => part === first)
  return isCommon && firsts.length > 2 ? first : null
}

const EXACT = 100

/** How well a column's name says this, from 0 to 100. */
export function fit(table: Table, column: Column, word: Word): number {
  return fitOfName(partsOf(column.name), word, { prefix: commonPrefix(table), subjects: subjectsOf(table) })
}

type About = { prefix: string | null; subjects: readonly string[] }

function fitOfName(parts: readonly string[], word: Word, { prefix, subjects }: About): number {
  const whole = parts.join('')
  const bare = parts[0] === prefix ? parts.slice(1).join('') : whole
  const ofSubject = parts.filter((part) => !subjects.includes(singular(part))).join('')
  const fits = WORDS[word].map((one, at) => {
    if (whole === one) return EXACT - at
    if (bare === one) return EXACT - 5 - at
    if (ofSubject === one) return EXACT - 10 - at
    if (parts.length > 1 && (parts.at(-1) === one || parts[0] === one)) return 60 - at
    if (one.length > 3 && (whole.endsWith(one) || whole.startsWith(one))) return 40 - at
    return 0
  })
  return Math.max(...fits)
}

/** The same of a key inside JSON. */
export const fitOfKey = (key: string, word: Word): number =>
  fitOfName(partsOf(key), word, { prefix: null, subjects: [] })

export type Fitting = { column: Column; fit: number }

/** The columns of a table that may be this, the likeliest first. */
export function fitting(
  table: Table,
  word: Word,
  isRight: (column: Column) => boolean = () => true,
): Fitting[] {
  return [...table.columns.values()]
    .filter(isRight)
    .map((column) => ({ column, fit: fit(table, column, word) }))
    .filter((found) => found.fit > 0)
    .sort((a, b) => b.fit - a.fit)
}

/** What characters carry besides: the more of it, the likelier a table holds them. */
const GAME_WORDS =
  /bag|item|box|body|map|hp|mp|skill|task|quest|gender|point|potential|friend|clan|mount|equip|inventory|info|xu|coin|gold|hanhtrang|tiemnang|nhiemvu|kynang|pet|vip|pk|mabu|xp|task/

export const gameColumns = (table: Table): number =>
  [...table.columns.keys()].filter((name) => GAME_WORDS.test(plain(name))).length
