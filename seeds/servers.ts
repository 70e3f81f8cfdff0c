type SeedServer = { id: string; name: string }

export const seedServers: SeedServer[] = [
  { id: '1', name: 'Trúc Lâm' },
  { id: '2', name: 'Bạch Vân' },
  { id: '3', name: 'Hồng Nguyệt' },
]
