import { baoVeTaiKhoan } from './posts/bao-ve-tai-khoan.ts'
import { choDemBenDen } from './posts/cho-dem-ben-den.ts'
import { choiDieuDo } from './posts/choi-dieu-do.ts'
import { congDong } from './posts/cong-dong.ts'
import { doiLuong } from './posts/doi-luong.ts'
import { hacDieuVuong } from './posts/hac-dieu-vuong.ts'
import { hoTong } from './posts/ho-tong.ts'
import { huongDanNapTcoin } from './posts/huong-dan-nap-tcoin.ts'
import { khaiMoHongNguyet } from './posts/khai-mo-hong-nguyet.ts'
import { kichHoat } from './posts/kich-hoat.ts'
import { leHoiDenLong } from './posts/le-hoi-den-long.ts'
import { nangCapNgoc } from './posts/nang-cap-ngoc.ts'
import { quaTanThu } from './posts/qua-tan-thu.ts'
import { rungTrucDem } from './posts/rung-truc-dem.ts'
import { sauPhai } from './posts/sau-phai.ts'
import type { SeedPost } from './posts/seed-post.ts'
import { songDau } from './posts/song-dau.ts'
import { taiGame } from './posts/tai-game.ts'

/** Newest first. */
export const seedPosts: SeedPost[] = [
  khaiMoHongNguyet,
  songDau,
  rungTrucDem,
  quaTanThu,
  huongDanNapTcoin,
  leHoiDenLong,
  doiLuong,
  hacDieuVuong,
  kichHoat,
  hoTong,
  nangCapNgoc,
  baoVeTaiKhoan,
  sauPhai,
  taiGame,
  choiDieuDo,
  choDemBenDen,
  congDong,
]
