import { headOf } from './heads.ts'

export type SeedRival = {
  account: string
  serverId: string
  name: string
  classId: number
  level: number
  head: number
  luong: number
  yen: number
}

function rival(
  name: string,
  serverId: string,
  appearance: { classId: number; level: number; variant: number },
  purse: { luong: number; yen: number },
): SeedRival {
  const { classId, level, variant } = appearance
  return { account: `lang.${name}`, serverId, name, classId, level, head: headOf(classId, variant), ...purse }
}

/** People of the game world who have no account at the portal (none may hold a dot): company in the rankings. */
export const seedRivals: SeedRival[] = [
  rival('thienlongkiem', '1', { classId: 1, level: 117, variant: 0 }, { luong: 229, yen: 25_763_000 }),
  rival('bongdem', '2', { classId: 3, level: 115, variant: 3 }, { luong: 609, yen: 33_894_000 }),
  rival('satthuvohinh', '3', { classId: 1, level: 112, variant: 3 }, { luong: 84, yen: 40_539_000 }),
  rival('mailannho', '1', { classId: 3, level: 111, variant: 0 }, { luong: 1_144, yen: 84_233_000 }),
  rival('huyetphong', '2', { classId: 1, level: 107, variant: 1 }, { luong: 2_179, yen: 74_985_000 }),
  rival('phuongnho', '3', { classId: 6, level: 106, variant: 2 }, { luong: 3_793, yen: 38_005_000 }),
  rival('vodanhkiem', '1', { classId: 4, level: 102, variant: 3 }, { luong: 67, yen: 69_555_000 }),
  rival('phongvan', '2', { classId: 2, level: 100, variant: 3 }, { luong: 1_713, yen: 69_323_000 }),
  rival('gianghokhach', '3', { classId: 4, level: 97, variant: 2 }, { luong: 1_136, yen: 78_333_000 }),
  rival('docbohanh', '1', { classId: 1, level: 97, variant: 1 }, { luong: 1_122, yen: 88_757_000 }),
  rival('muangau', '2', { classId: 3, level: 93, variant: 3 }, { luong: 4_859, yen: 51_785_000 }),
  rival('nguyetanh', '3', { classId: 5, level: 91, variant: 1 }, { luong: 836, yen: 56_511_000 }),
  rival('thanhlong', '1', { classId: 5, level: 87, variant: 3 }, { luong: 5_228, yen: 44_081_000 }),
  rival('bachho', '2', { classId: 1, level: 87, variant: 3 }, { luong: 3_254, yen: 56_867_000 }),
  rival('hoaphuong', '3', { classId: 1, level: 84, variant: 1 }, { luong: 519, yen: 46_510_000 }),
  rival('lanhdien', '1', { classId: 4, level: 82, variant: 3 }, { luong: 1_385, yen: 49_325_000 }),
  rival('songngam', '2', { classId: 1, level: 79, variant: 2 }, { luong: 554, yen: 33_113_000 }),
  rival('trucxanh', '3', { classId: 1, level: 79, variant: 0 }, { luong: 2_426, yen: 34_934_000 }),
  rival('vodanhkhach', '1', { classId: 5, level: 75, variant: 1 }, { luong: 1_246, yen: 14_505_000 }),
  rival('ngondang', '2', { classId: 5, level: 72, variant: 0 }, { luong: 4_635, yen: 48_152_000 }),
  rival('maulua', '3', { classId: 3, level: 71, variant: 2 }, { luong: 12_277, yen: 44_786_000 }),
  rival('cuonphong', '1', { classId: 6, level: 68, variant: 2 }, { luong: 1_904, yen: 37_495_000 }),
  rival('lucbinh', '2', { classId: 2, level: 64, variant: 1 }, { luong: 4_370, yen: 5_411_000 }),
  rival('luoithep', '3', { classId: 4, level: 62, variant: 2 }, { luong: 757, yen: 11_148_000 }),
  rival('tuyetdong', '1', { classId: 4, level: 62, variant: 2 }, { luong: 1_902, yen: 12_246_000 }),
  rival('thachsanh', '2', { classId: 3, level: 58, variant: 1 }, { luong: 1_293, yen: 26_630_000 }),
  rival('langtu', '3', { classId: 4, level: 55, variant: 3 }, { luong: 1_007, yen: 5_678_000 }),
  rival('hoacuc', '1', { classId: 3, level: 55, variant: 1 }, { luong: 2_250, yen: 6_688_000 }),
  rival('quynhanh', '2', { classId: 1, level: 53, variant: 3 }, { luong: 1_911, yen: 14_026_000 }),
  rival('dainghia', '3', { classId: 6, level: 48, variant: 3 }, { luong: 8_496, yen: 12_705_000 }),
  rival('nhatnguyet', '1', { classId: 4, level: 46, variant: 2 }, { luong: 540, yen: 16_614_000 }),
  rival('phucan', '2', { classId: 2, level: 46, variant: 2 }, { luong: 5_249, yen: 12_166_000 }),
  rival('kimlong', '3', { classId: 4, level: 40, variant: 2 }, { luong: 744, yen: 13_610_000 }),
  rival('vantieu', '1', { classId: 3, level: 38, variant: 3 }, { luong: 306, yen: 4_172_000 }),
  rival('anhtuc', '2', { classId: 3, level: 37, variant: 1 }, { luong: 233, yen: 6_848_000 }),
  rival('mocchau', '3', { classId: 4, level: 34, variant: 0 }, { luong: 7_894, yen: 4_144_000 }),
  rival('hoanganh', '1', { classId: 1, level: 31, variant: 3 }, { luong: 234, yen: 4_813_000 }),
  rival('linhphong', '2', { classId: 2, level: 32, variant: 1 }, { luong: 1_241, yen: 4_093_000 }),
  rival('tranggia', '3', { classId: 2, level: 29, variant: 3 }, { luong: 3_015, yen: 3_044_000 }),
  rival('demtrang', '1', { classId: 5, level: 27, variant: 1 }, { luong: 1_346, yen: 3_524_000 }),
]
