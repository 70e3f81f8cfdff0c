import type { Random } from '../harness/numbers.ts'

// What banks, phones and payers make of a memo.

type Change = (code: string, random: Random) => string

const READABLE: Change[] = [
  (code) => code.toLowerCase(),
  (code) => `MBVCB.3278907687.${code}.CT tu 0011000000009 NGUYEN VAN A toi 0011000000001 CONG TY B`,
  (code) => `MBVCB.15444160238.6218BFTVG2XXXXXX.${code}`,
  (code, random) => `884114.201126.${100_000 + random.below(900_000)}.${code}`,
  (code) => `311447.201126.213735.15330734312-0901234567-${code}`,
  (code) => `${code} GD 789604-201126 00:05:38`,
  (code, random) => {
    const cut = 4 + random.below(8)
    return `${code.slice(0, cut)} ${code.slice(cut)}`
  },
  (code) => code.match(/.{1,4}/g)!.join('-'),
  (code) => [...code].join(' '),
  (code) => `naptcoin${code.toLowerCase()}xin cam on`,
  (code) => code.replaceAll('A', 'Á').replaceAll('E', 'Ệ').replaceAll('D', 'Đ').normalize('NFD'),
  (code) => `Nạp tiền ${code} cảm ơn ạ 🙏🐉`,
  (code) => `👨‍👩‍👧 ${code}\u0000`,
  (code) => `‏${code}​`,
  (code) => `  ${code}\n`,
  (code) => `TCX${code}`,
  (code) => `${code}TCX`,
]

export const readableMemo: Change = (code, random) => random.pick(READABLE)(code, random)

const BROKEN: Change[] = [
  (code, random) => code.slice(0, 3 + random.below(9)),
  (code) => code.slice(1),
  (code) => code.slice(0, -1),
  (code) => `${code.slice(0, 5)}${code[6]}${code[5]}${code.slice(7)}`,
  () => 'chuyen tien',
  () => '',
  (_, random) => `naptien thuthach${random.below(1_000)}`,
  () => 'Chúc mừng sinh nhật 🎂🎂',
  // Cut at fifty characters, inside the code or behind it.
  (code, random) =>
    `${'NGUYEN THI HONG NHUNG CHUYEN TIEN MUA XU NINJA '.slice(0, 34 + random.below(12))}${code}`.slice(
      0,
      50,
    ),
  (code) => `${code.slice(0, 6)}đ${code.slice(6)}`,
]

/** Some of these can still be read. */
export const brokenMemo: Change = (code, random) => random.pick(BROKEN)(code, random)
