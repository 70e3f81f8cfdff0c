import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const quaTanThu: SeedPost = {
  slug: 'bon-goi-qua-tan-thu',
  title: 'Bốn gói quà tân thủ: chọn gói nào cho đáng?',
  categories: ['su-kien', 'huong-dan'],
  cover: 'bon-goi-qua-tan-thu',
  isNew: true,
  isPinned: false,
  publishedDaysAgo: 4,
  content: `
<p>Ngày đầu xuống núi, túi ninja thường nhẹ tênh. Vì thế chúng tôi gói sẵn bốn hộp quà, hộp nào cũng có lượng, có yên và một bé thú cưng lon ton chạy theo. Mỗi tài khoản được mua <strong>đúng một gói, một lần</strong>, nên hãy xem kỹ bảng dưới đây trước khi chọn.</p>
<h2>Trong hộp có gì?</h2>
<table>
<thead><tr><th>Gói (TCoin)</th><th>Lượng</th><th>Yên</th><th>Quà kèm</th></tr></thead>
<tbody>
<tr><td>9,999</td><td>2,999</td><td>9,999,999</td><td>Một thú cưng</td></tr>
<tr><td>19,999</td><td>5,999</td><td>19,999,999</td><td>Một thú cưng</td></tr>
<tr><td>49,999</td><td>15,999</td><td>39,999,999</td><td>Một thú cưng, đồng hành 3 ngày</td></tr>
<tr><td>99,999</td><td>35,000</td><td>99,999,999</td><td>Một thú cưng, đồng hành 7 ngày</td></tr>
</tbody>
</table>
${figure('covers/bon-goi-qua-tan-thu', 'Hộp quà thắt nơ đỏ và chú mèo nhỏ đội khăn ninja', 'Bé mèo này sẽ theo bạn từ phiên chợ đầu tiên.')}
<h2>Gợi ý chọn gói</h2>
<h3>Chơi thử cho biết</h3>
<p>Gói <strong>9,999</strong> đủ để sắm bộ đồ đầu tiên và không phải lo tiền bùa tới tận cấp 20. Cộng cả phí kích hoạt 20,000, bạn nạp 30,000 đồng là đủ, còn dư đúng một TCoin làm kỷ niệm.</p>
<h3>Định gắn bó lâu dài</h3>
<p>Gói <strong>49,999</strong> cân đối nhất: lượng nhiều hơn hẳn, lại có bạn đồng hành đánh quái cùng suốt ba ngày đầu, quãng thời gian lên cấp nhanh nhất của mọi nhân vật.</p>
<h3>Đua tốp máy chủ mới</h3>
<p>Gói <strong>99,999</strong> cho bạn đồng hành bảy ngày và gần một trăm triệu yên, vừa đẹp để khảm vài viên ngọc đầu tay. Trước khi khảm, nhớ ghé <a href="/gem-calculator">bảng tính nâng ngọc</a> để khỏi hụt.</p>
<h2>Cách nhận</h2>
<ol>
<li><a href="/recharge">Nạp TCoin</a> và kích hoạt tài khoản (phí 20,000 TCoin, trả một lần).</li>
<li>Vào trang <a href="/gift">Quà tân thủ</a>, chọn nhân vật, chọn gói rồi xác nhận.</li>
<li>Vào game kiểm tra túi đồ. Quà đến trong vài giây; nếu game đang bảo trì, quà đợi và tự đến khi mở lại.</li>
</ol>
<p>Mua xong, mục “Quà tân thủ” sẽ biến mất khỏi thanh menu, như một lời chúc: từ nay bạn không còn là tân thủ nữa.</p>
<p><em>Quà gắn với nhân vật đã chọn và không đổi sang gói khác được sau khi giao.</em></p>
`,
}
