import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const leHoiDenLong: SeedPost = {
  slug: 'le-hoi-den-long',
  title: 'Lễ hội Đèn Lồng: thắp một ngọn, ước một điều',
  categories: ['su-kien'],
  cover: 'le-hoi-den-long',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 8,
  content: `
<p>Cứ đến mùa gió heo may, bến sông dưới chân núi lại đỏ rực đèn lồng. Người ta thả đèn để nhớ những ninja đã đi xa, và để chúc những người còn ở lại một mùa bình an. Năm nay lễ hội kéo dài <strong>mười ngày</strong> trên cả ba máy chủ.</p>
${figure('covers/le-hoi-den-long', 'Những chiếc đèn lồng đỏ thả trên sông đêm', 'Bến Đèn đêm khai hội.')}
<h2>Bốn việc vui ở lễ hội</h2>
<h3>1. Gom khung tre, dán giấy đỏ</h3>
<p>Quái ở mọi bản đồ rơi <em>nan tre</em>; cá dưới sông đổi được <em>giấy dó</em>. Ghép ba nan tre với một tờ giấy dó thành một chiếc đèn. Bạn làm bao nhiêu cũng được, không giới hạn.</p>
<h3>2. Thả đèn và ước</h3>
<p>Mang đèn ra bến sau khi trời tối, viết một câu không quá bốn mươi chữ rồi thả. Câu ước trôi qua trước mắt mọi người đang đứng bên sông, nên hãy viết điều gì tử tế nhé.</p>
<h3>3. Đố đèn</h3>
<p>Mỗi tối lúc <strong>20:00</strong>, ông lái đò ra mười câu đố. Trả lời đúng từ bảy câu nhận một hộp bánh nướng, ăn vào tăng tốc độ chạy trong nửa giờ.</p>
<h3>4. Rước đèn cùng bang</h3>
<p>Bang nào đủ mười lăm người cùng cầm đèn đi một vòng quanh làng sẽ được treo cờ ở cổng suốt ngày hôm sau.</p>
<h2>Mốc quà</h2>
<table>
<thead><tr><th>Số đèn đã thả</th><th>Quà</th></tr></thead>
<tbody>
<tr><td>5</td><td>100,000 yên</td></tr>
<tr><td>20</td><td>Bùa may mắn 1 ngày</td></tr>
<tr><td>50</td><td>Áo hội đèn lồng</td></tr>
<tr><td>100</td><td>Danh hiệu “Người giữ lửa”</td></tr>
</tbody>
</table>
<p>Quà nhận ngay tại chỗ ông lái đò. Danh hiệu và áo giữ mãi; đèn chưa thả sẽ tự đổi thành yên khi hội tan.</p>
<h2>Một lời nhắc nhẹ</h2>
<p>Hội vui là hội có điểm dừng. Chơi chừng một giờ, ngẩng lên nhìn trời thật, uống cốc nước rồi hãy quay lại. <strong>Game dành cho người chơi từ 12 tuổi trở lên; chơi quá 180 phút một ngày sẽ ảnh hưởng xấu đến sức khỏe.</strong></p>
<p>Ảnh chụp màn hình đẹp nhất đăng trong nhóm ở trang <a href="/community">Box Zalo</a> sẽ được đội vận hành chọn làm ảnh bìa tuần sau. Chúc cả làng một mùa đèn ấm áp!</p>
`,
}
