import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const huongDanNapTcoin: SeedPost = {
  slug: 'huong-dan-nap-tcoin-bang-ma-qr',
  title: 'Hướng dẫn nạp TCoin bằng mã QR, chưa đầy hai phút',
  categories: ['huong-dan'],
  cover: 'huong-dan-nap-tcoin-bang-ma-qr',
  isNew: false,
  isPinned: true,
  publishedDaysAgo: 6,
  content: `
<p>TCoin là đồng tiền dùng trên cổng Tinh Hoa Ninja: để kích hoạt tài khoản, đổi lượng, mua quà tân thủ hay chuyển cho bạn bè. Cách tính rất dễ nhớ: <strong>1 TCoin = 1 đồng</strong>. Bạn chuyển bao nhiêu, ví cộng đúng bấy nhiêu.</p>
<h2>Chuẩn bị</h2>
<ul>
<li>Một tài khoản đã đăng nhập trên trang này.</li>
<li>Ứng dụng ngân hàng bất kỳ có quét mã VietQR, hoặc ví MoMo.</li>
<li>Số tiền từ <strong>10,000 đồng</strong> trở lên. Dưới mức này hệ thống không tự cộng được.</li>
</ul>
<h2>Các bước nạp</h2>
<ol>
<li>Mở trang <a href="/recharge">Nạp TCoin</a>, chọn kênh <strong>Momo</strong>, <strong>Vietcombank</strong> hoặc <strong>ACB</strong>.</li>
<li>Nhập số tiền rồi bấm tạo đơn. Trang hiện mã QR kèm số tài khoản, số tiền và nội dung chuyển khoản.</li>
<li>Mở ứng dụng ngân hàng, quét mã. Số tiền và nội dung được điền sẵn, bạn chỉ việc xem lại và xác nhận.</li>
<li>Giữ nguyên trang thêm một chút. Khi ngân hàng báo có tiền, trạng thái đơn tự đổi và số dư trên đầu trang nhảy lên ngay.</li>
</ol>
${figure('covers/huong-dan-nap-tcoin-bang-ma-qr', 'Cuộn giấy có mã QR và những đồng TCoin vàng', 'Quét mã là xong, không cần gõ số tài khoản.')}
<h2>Nạp khi chỉ có một chiếc điện thoại</h2>
<p>Không quét được mã trên chính máy mình? Hãy lưu ảnh mã QR rồi chọn “quét từ ảnh” trong ứng dụng ngân hàng, hoặc bấm nút sao chép bên cạnh từng dòng: số tài khoản, số tiền, nội dung.</p>
<blockquote><p><strong>Quan trọng:</strong> đừng sửa nội dung chuyển khoản. Dòng chữ ấy là mã riêng của đơn nạp; nhờ nó hệ thống biết tiền là của ai.</p></blockquote>
<h2>Câu hỏi thường gặp</h2>
<table>
<thead><tr><th>Tình huống</th><th>Chuyện gì xảy ra</th></tr></thead>
<tbody>
<tr><td>Chuyển thiếu hoặc thừa so với đơn</td><td>Ví được cộng đúng số tiền đã đến.</td></tr>
<tr><td>Quên hoặc sửa mất nội dung</td><td>Tiền được giữ lại để đối chiếu, không mất. Hãy nhắn đội hỗ trợ kèm biên lai.</td></tr>
<tr><td>Đơn hết giờ rồi mới chuyển</td><td>Hệ thống vẫn nhận ra mã đơn; nếu để quá lâu, đội hỗ trợ sẽ xem lại trước khi cộng.</td></tr>
<tr><td>Chờ mười phút chưa thấy gì</td><td>Xem lại <a href="/user/transactions">lịch sử giao dịch</a>, rồi gửi biên lai vào <a href="/community">Box Zalo</a>.</td></tr>
</tbody>
</table>
<p>Nhớ giúp nhau một điều: TCoin chỉ dùng trên cổng và trong game, <strong>không quy đổi ngược thành tiền mặt</strong>. Ai mời bạn “nạp hộ giá rẻ” hay “rút TCoin” đều không phải người của chúng tôi.</p>
`,
}
