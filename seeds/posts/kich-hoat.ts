import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const kichHoat: SeedPost = {
  slug: 'kich-hoat-tai-khoan',
  title: 'Kích hoạt tài khoản để làm gì, tốn bao nhiêu?',
  categories: ['huong-dan'],
  cover: 'kich-hoat-tai-khoan',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 14,
  content: `
<p>Đăng ký xong là bạn chơi được ngay: làm nhiệm vụ, luyện cấp, vào bang, săn trùm, tất cả đều mở. Riêng phần <strong>giao dịch</strong> thì cần thêm một bước gọi là kích hoạt. Bài này giải thích vì sao, và làm thế nào cho gọn.</p>
<h2>Kích hoạt mở những gì?</h2>
<table>
<thead><tr><th>Việc</th><th>Chưa kích hoạt</th><th>Đã kích hoạt</th></tr></thead>
<tbody>
<tr><td>Đọc tin, tải game, chơi game</td><td>Được</td><td>Được</td></tr>
<tr><td>Nạp TCoin vào ví</td><td>Được</td><td>Được</td></tr>
<tr><td>Nhận TCoin bạn bè chuyển</td><td>Được</td><td>Được</td></tr>
<tr><td>Đổi TCoin sang lượng</td><td>Chưa</td><td>Được</td></tr>
<tr><td>Mua quà tân thủ</td><td>Chưa</td><td>Được</td></tr>
<tr><td>Chuyển TCoin cho người khác</td><td>Chưa</td><td>Được</td></tr>
</tbody>
</table>
<h2>Phí và cách làm</h2>
<p>Phí là <strong>20,000 TCoin</strong>, trả <strong>một lần duy nhất</strong> cho cả đời tài khoản. Không có gia hạn, không có gói tháng.</p>
<ol>
<li>Đăng nhập và <a href="/recharge">nạp ít nhất 20,000 TCoin</a> nếu ví chưa đủ.</li>
<li>Bấm vào dải nhắc “kích hoạt” ngay dưới tên bạn ở đầu trang.</li>
<li>Đọc lại số phí trong hộp thoại rồi xác nhận. Xong!</li>
</ol>
${figure('covers/kich-hoat-tai-khoan', 'Con dấu son đóng lên cuộn giấy thông hành', 'Một con dấu son, dùng mãi mãi.')}
<h2>Nhờ bạn bè kích hoạt hộ</h2>
<p>Chưa tiện nạp? Bạn bè đã kích hoạt có thể <a href="/user/transfer">chuyển TCoin</a> cho bạn và đánh dấu ô “kích hoạt giúp người nhận”. Số tiền chuyển phải đủ trả phí; 20,000 TCoin được trừ ngay để kích hoạt, phần còn lại nằm trong ví của bạn. Nếu bạn đã kích hoạt từ trước thì toàn bộ số tiền vào ví như bình thường.</p>
<h2>Vì sao lại cần bước này?</h2>
<p>Trước đây, kẻ xấu hay lập hàng loạt tài khoản rác để chuyền tay tiền bạc lấy cắp được. Một khoản phí nhỏ trả một lần không làm khó người chơi thật, nhưng khiến trò ấy không còn đáng công. Nhờ vậy chợ trong game yên ổn hơn hẳn, giá cả cũng bớt nhảy múa.</p>
<blockquote><p>Đội vận hành <strong>không bao giờ</strong> gọi điện hay nhắn tin đòi mật khẩu để “kích hoạt giúp”. Thấy tin như thế, bạn cứ mạnh dạn báo vào <a href="/community">Box Zalo</a>.</p></blockquote>
`,
}
