import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const hoTong: SeedPost = {
  slug: 'ho-tong-qua-deo-gio-hu',
  title: 'Hộ tống hàng qua đèo Gió Hú: cả bang cùng lên đường',
  categories: ['su-kien'],
  cover: 'ho-tong-qua-deo-gio-hu',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 16,
  content: `
<p>Mùa đông năm nay đến sớm. Làng trên núi sắp hết gạo, mà con đường duy nhất lại đi qua đèo Gió Hú, nơi bọn cướp Mặt Nạ Trắng đang rình. Trưởng làng treo bảng: <strong>bang nào đưa được xe hàng qua đèo, bang ấy có thưởng.</strong></p>
<h2>Chơi thế nào?</h2>
<ol>
<li>Bang chủ hoặc phó bang nhận xe hàng ở kho làng, mỗi ngày một chuyến, từ <strong>19:00 đến 22:00</strong>.</li>
<li>Xe tự đi, chậm như người đi bộ. Cả bang đi quanh bảo vệ; xe chỉ lăn bánh khi có ít nhất ba người ở gần.</li>
<li>Dọc đường có bốn ổ phục kích. Cướp nhắm vào xe trước, người sau.</li>
<li>Tới cổng làng trên núi là xong. Hàng còn nguyên bao nhiêu phần thì thưởng bấy nhiêu phần.</li>
</ol>
${figure('covers/ho-tong-qua-deo-gio-hu', 'Đoàn ninja đẩy xe hàng qua con đèo tuyết', 'Tuyết rơi dày, đuốc không được tắt.')}
<h2>Bốn ổ phục kích</h2>
<h3>Khúc cua đá lở</h3>
<p>Đá lăn từ trên cao. Nghe tiếng ầm thì dừng xe lại, đừng cố vượt.</p>
<h3>Cầu treo</h3>
<p>Cung thủ cướp đứng hai bên vách. Cần ít nhất một bạn Cung hoặc Phi tiêu bắn trả.</p>
<h3>Hang gió</h3>
<p>Gió tắt đuốc, tối như mực. Đi sát vào nhau, đánh theo tiếng bước chân.</p>
<h3>Cổng tuyết</h3>
<p>Tướng cướp ra mặt. Hắn chỉ thua khi cả bang còn từ một nửa quân số.</p>
<h2>Thưởng theo phần hàng còn lại</h2>
<table>
<thead><tr><th>Hàng còn</th><th>Thưởng mỗi người</th></tr></thead>
<tbody>
<tr><td>Trên 90%</td><td>500,000 yên, 2 mảnh ngọc, 10 điểm bang</td></tr>
<tr><td>60% đến 90%</td><td>300,000 yên, 1 mảnh ngọc, 6 điểm bang</td></tr>
<tr><td>30% đến 60%</td><td>150,000 yên, 3 điểm bang</td></tr>
<tr><td>Dưới 30%</td><td>50,000 yên và một bát canh nóng</td></tr>
</tbody>
</table>
<p>Điểm bang được cộng vào bảng thi đua cuối tháng; xem thứ hạng ở trang <a href="/ranking">Xếp hạng</a>.</p>
<h2>Lời khuyên của người đi trước</h2>
<ul>
<li>Đi đủ cả gần lẫn xa. Một bang toàn Kiếm qua được ba ổ rồi khóc ở cầu treo.</li>
<li>Hẹn giờ trước trong <a href="/community">Box Zalo</a> của bang, đừng đợi ai online thì đợi.</li>
<li>Người cấp thấp cứ đi cùng: đứng đẩy xe cũng tính là tham gia.</li>
</ul>
`,
}
