import { drawn, oneOf, type Plan } from './plan.ts'

const GIVEN =
  `an anh bao binh chau chi cuong dat diep dung duong giang ha hai hanh hieu hoa hoang hung huong huy khanh
 khoa kien lam lan linh loan long mai manh minh my nam nga ngan nghia ngoc nhan nhi phong phuc phuong quan quang quynh
 sang son tam tan thanh thao thien thu thuy tien toan trang tri trinh trung tu tuan tung uyen van viet vinh yen`.split(
    /\s+/,
  )
const HEROES = 'bang bao gio hac kiem lang loi long lua may nguyet phong sam sao set son tuyet vu'.split(' ')

type Seeded = Pick<Plan, 'seed'>

/** As a million players are named: many begin alike. */
export const usernameOf = (plan: Seeded, player: number): string =>
  `${oneOf(GIVEN, drawn(plan, player, 901))}${String(player + 1).padStart(4, '0')}`

export const characterNameOf = (plan: Seeded, player: number): string =>
  `${oneOf(HEROES, drawn(plan, player, 902))}${oneOf(HEROES, drawn(plan, player, 903))}${player + 1}`

/** A mobile number, another one for each player. */
export const phoneOf = (player: number): string => `849${String(player + 10_000_000).padStart(8, '0')}`
