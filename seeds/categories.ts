type SeedCategory = { slug: string; title: string; description: string }

export const seedCategories: SeedCategory[] = [
  {
    slug: 'tin-tuc',
    title: 'Tin tức',
    description: 'Chuyện mới trong làng: máy chủ, cộng đồng và những điều đội vận hành muốn kể với bạn.',
  },
  {
    slug: 'su-kien',
    title: 'Sự kiện',
    description: 'Lễ hội, giải đấu và các hoạt động đang chờ bạn vào góp mặt.',
  },
  {
    slug: 'huong-dan',
    title: 'Hướng dẫn',
    description: 'Từng bước một, từ tải game, nạp TCoin đến khảm viên ngọc đầu tiên.',
  },
  {
    slug: 'cap-nhat',
    title: 'Cập nhật',
    description: 'Bản đồ mới, trùm mới và những thay đổi đáng chú ý sau mỗi lần bảo trì.',
  },
]
