import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const doiLuong: SeedPost = {
  slug: 'doi-tcoin-sang-luong',
  title: 'Đổi TCoin sang lượng: bảng giá và mẹo nhỏ',
  categories: ['huong-dan'],
  cover: 'doi-tcoin-sang-luong',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 9,
  content: `
<p>Lượng là thứ ninja nào cũng cần: mua bùa, mở rương, đổi áo choàng mới trước ngày lễ. Có TCoin trong ví rồi, bạn đổi sang lượng ngay trên trang, chọn đúng nhân vật cần nhận, rồi vào game là thấy.</p>
<h2>Bảng quy đổi</h2>
<p>Mức cơ bản là <strong>30 lượng cho mỗi 100 TCoin</strong>, và hiện nay được <strong>thưởng thêm 10%</strong>. Bảng dưới đây đã tính cả phần thưởng:</p>
<table>
<thead><tr><th>TCoin</th><th>Lượng gốc</th><th>Lượng nhận được</th></tr></thead>
<tbody>
<tr><td>10,000</td><td>3,000</td><td><strong>3,300</strong></td></tr>
<tr><td>20,000</td><td>6,000</td><td><strong>6,600</strong></td></tr>
<tr><td>50,000</td><td>15,000</td><td><strong>16,500</strong></td></tr>
<tr><td>100,000</td><td>30,000</td><td><strong>33,000</strong></td></tr>
<tr><td>200,000</td><td>60,000</td><td><strong>66,000</strong></td></tr>
<tr><td>500,000</td><td>150,000</td><td><strong>165,000</strong></td></tr>
</tbody>
</table>
<p>Mức thưởng có thể thay đổi theo từng đợt. Con số hiện trên trang <a href="/exchange">Đổi lượng</a> lúc bạn bấm xác nhận chính là con số bạn nhận, không hơn không kém.</p>
${figure('covers/doi-tcoin-sang-luong', 'Đồng TCoin vàng rơi vào túi gấm của ninja', 'Vàng vào ví, lượng vào túi.')}
<h2>Các bước đổi</h2>
<ol>
<li>Tài khoản phải được kích hoạt. Nếu chưa, trang sẽ nhắc và cho bạn kích hoạt tại chỗ.</li>
<li>Mở trang <a href="/exchange">Đổi lượng</a>, chạm vào nhân vật sẽ nhận.</li>
<li>Chọn mệnh giá. Nếu ví chưa đủ, trang báo còn thiếu bao nhiêu kèm đường dẫn tới trang <a href="/recharge">nạp TCoin</a>.</li>
<li>Bấm xác nhận. TCoin được giữ lại, lượng được gửi sang game trong vài giây.</li>
</ol>
<h2>Nếu game đang bảo trì thì sao?</h2>
<p>Bạn vẫn đổi được. Giao dịch ở trạng thái “đang giao”, khi game mở lại lượng sẽ tự tới nơi. Còn nếu game từ chối, chẳng hạn nhân vật vừa bị xóa, toàn bộ TCoin được hoàn về ví. Mọi bước đều ghi trong <a href="/user/transactions">lịch sử giao dịch</a>.</p>
<h3>Mẹo nhỏ</h3>
<ul>
<li>Vừa tạo nhân vật mà chưa thấy trong danh sách? Chờ khoảng một phút rồi tải lại trang.</li>
<li>Nhìn kỹ tên và cấp trước khi xác nhận: lượng đã vào nhân vật nào thì không chuyển sang nhân vật khác được.</li>
<li>Mới chơi, hãy xem <a href="/gift">quà tân thủ</a> trước: mỗi tài khoản chỉ mua được một gói, và gói có thêm yên lẫn thú cưng.</li>
</ul>
`,
}
