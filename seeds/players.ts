import { headOf } from './heads.ts'

type SeedCharacter = {
  name: string
  classId: number
  level: number
  head: number
  luong: number
  yen: number
}

export type SeedPlayer = {
  username: string
  password: string
  phone: string
  email?: string
  /** As if they had sent a code from it; the others are asked to. */
  hasProvedPhone?: true
  serverId: string
  /** TCoin that came in by recharge; the activation fee is paid out of it when `activated`. */
  recharged: number
  activated: boolean
  ban?: { days: number; reason: string }
  characters: SeedCharacter[]
}

function character(
  name: string,
  appearance: { classId: number; level: number; variant: number },
  purse: { luong: number; yen: number },
): SeedCharacter {
  return {
    name,
    classId: appearance.classId,
    level: appearance.level,
    head: headOf(appearance.classId, appearance.variant),
    ...purse,
  }
}

/** The veteran the demo is shown with: plenty of TCoin, one character of almost every class. */
export const demoPlayer: SeedPlayer = {
  username: 'hoangtuan',
  password: 'trucdem-2024',
  phone: '0912345601',
  email: 'hoangtuan@example.com',
  hasProvedPhone: true,
  serverId: '1',
  recharged: 650_000,
  activated: true,
  characters: [
    character('kiemgia', { classId: 1, level: 92, variant: 0 }, { luong: 18_450, yen: 64_200_000 }),
    character('phitieuvang', { classId: 2, level: 71, variant: 1 }, { luong: 5_200, yen: 21_750_000 }),
    character('cungthan', { classId: 4, level: 58, variant: 2 }, { luong: 1_310, yen: 9_480_000 }),
    character('liemdem', { classId: 6, level: 34, variant: 3 }, { luong: 240, yen: 2_100_000 }),
    character('tansinh', { classId: 0, level: 6, variant: 1 }, { luong: 0, yen: 35_000 }),
  ],
}

export const seedPlayers: SeedPlayer[] = [
  demoPlayer,
  // Activated, but what is left after the fee buys nothing: the page must say how much is missing.
  {
    username: 'minhchau',
    password: 'longdendo77',
    phone: '0987654302',
    email: 'minhchau@example.com',
    serverId: '1',
    recharged: 25_000,
    activated: true,
    characters: [
      character('anhsaodem', { classId: 3, level: 45, variant: 0 }, { luong: 620, yen: 4_300_000 }),
      character('maychieu', { classId: 5, level: 22, variant: 1 }, { luong: 15, yen: 780_000 }),
    ],
  },
  // Has the coins, has not activated: trading is refused with NOT_ACTIVATED.
  {
    username: 'giabao2k',
    password: 'songtieu456',
    phone: '0356781203',
    serverId: '2',
    recharged: 50_000,
    activated: false,
    characters: [character('giobac', { classId: 2, level: 28, variant: 2 }, { luong: 90, yen: 1_150_000 })],
  },
  // Fresh from registration: nothing in the purse, a character who has not reached the arena.
  {
    username: 'thuylinh',
    password: 'hoamoc1989',
    phone: '0779123404',
    serverId: '3',
    recharged: 0,
    activated: false,
    characters: [character('linhnhi', { classId: 0, level: 3, variant: 2 }, { luong: 0, yen: 12_000 })],
  },
  // Banned: may log in and read the notice with its reason, may not trade.
  {
    username: 'ducmanh99',
    password: 'daodai3211',
    phone: '0834567805',
    serverId: '1',
    recharged: 120_000,
    activated: true,
    ban: {
      days: 30,
      reason: 'Dùng phần mềm tự động đánh quái ở Rừng Trúc Đêm. Bạn có thể khiếu nại qua Box Zalo.',
    },
    characters: [
      character('daotrang', { classId: 5, level: 67, variant: 3 }, { luong: 3_050, yen: 15_900_000 }),
    ],
  },
  // Activated and solvent, but no character yet on the chosen server.
  {
    username: 'quochung',
    password: 'khongtuoc62',
    phone: '0568123406',
    serverId: '3',
    recharged: 220_000,
    activated: true,
    characters: [],
  },
  // A second solvent player, so that a transfer has somebody to go to.
  {
    username: 'ngocanh95',
    password: 'cungtram818',
    phone: '0923456707',
    email: 'ngocanh95@example.com',
    serverId: '2',
    recharged: 180_000,
    activated: true,
    characters: [
      character('tenxanh', { classId: 4, level: 80, variant: 0 }, { luong: 7_700, yen: 38_000_000 }),
      character('hacliem', { classId: 6, level: 63, variant: 1 }, { luong: 2_480, yen: 12_640_000 }),
    ],
  },
]

/** What the start-up text prints so that a newcomer can try the portal at once. */
export const demoLogin = { username: demoPlayer.username, password: demoPlayer.password }
