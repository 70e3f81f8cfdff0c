import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const hacDieuVuong: SeedPost = {
  slug: 'trum-moi-hac-dieu-vuong',
  title: 'Trùm thế giới mới: Hắc Điểu Vương vỗ cánh',
  categories: ['cap-nhat', 'su-kien'],
  cover: 'trum-moi-hac-dieu-vuong',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 11,
  content: `
<p>Ba đêm liền, dân làng thấy bóng đen khổng lồ lướt qua mặt trăng. Đêm thứ tư, mái đình tốc mất một góc. <strong>Hắc Điểu Vương</strong> – con quạ sống bốn trăm năm trên đỉnh Gió Hú – đã tỉnh giấc, và nó đói.</p>
<h2>Khi nào, ở đâu?</h2>
<p>Hắc Điểu Vương xuất hiện <strong>hai lần mỗi ngày, lúc 12:30 và 20:30</strong>, tại đỉnh Gió Hú trên cả ba máy chủ. Trận đánh kéo dài tối đa hai mươi lăm phút. Hết giờ mà chưa hạ được, nó bay đi và mang theo luôn phần thưởng.</p>
${figure('game/san-trum', 'Một ninja nhỏ đối mặt con quạ khổng lồ trên đỉnh núi', 'Nhìn thì to, nhưng nó cũng chỉ có một cái đầu.')}
<h2>Ba giai đoạn của trận đánh</h2>
<h3>Giai đoạn một: đậu trên mỏm đá</h3>
<p>Nó mổ thẳng phía trước, rất mạnh nhưng dễ đoán. Phái Đao và Kiếm đứng chịu đòn, những người khác tản ra hai bên sườn.</p>
<h3>Giai đoạn hai: bay lên</h3>
<p>Cận chiến đánh không tới. Đây là lúc của Cung và Phi tiêu. Mỗi lần nó vỗ cánh, lông đen rơi xuống như dao; hãy nấp sau các cột đá.</p>
<h3>Giai đoạn ba: nổi giận</h3>
<p>Khi máu còn một phần năm, mắt nó đỏ rực, tốc độ tăng gấp rưỡi. Giữ lại một lọ thuốc lớn cho phút này. Kunai nên cắm sẵn một dấu ở bậc thang phía sau để rút nhanh.</p>
<h2>Phần thưởng</h2>
<ul>
<li><strong>Mọi người tham gia:</strong> rương lông quạ, có mảnh ngọc và yên.</li>
<li><strong>Ba mươi người gây sát thương cao nhất:</strong> thêm một viên ngọc ngẫu nhiên cấp 2 đến cấp 4.</li>
<li><strong>Người ra đòn cuối:</strong> danh hiệu <em>Xạ Điểu</em> đeo trong bảy ngày.</li>
</ul>
<blockquote><p>Điểm sát thương chỉ tính khi bạn còn sống ở cuối trận hoặc đã đánh được ít nhất hai phút. Vào điểm danh rồi đứng ngó thì không có quà.</p></blockquote>
<p>Hôm đầu ra mắt, máy chủ Bạch Vân hạ nó ở phút hai mươi tư; Trúc Lâm thì để nó bay mất. Còn máy chủ của bạn? Gom đội ngay ở <a href="/community">Box Zalo</a>, và nếu định dùng ngọc vừa nhặt để nâng đồ, ghé qua <a href="/gem-calculator">bảng tính ngọc</a> cho chắc.</p>
`,
}
