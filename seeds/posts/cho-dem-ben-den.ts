import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const choDemBenDen: SeedPost = {
  slug: 'cap-nhat-cho-dem-ben-den',
  title: 'Cập nhật: chợ đêm Bến Đèn họp lại, có sạp cho riêng bạn',
  categories: ['cap-nhat'],
  cover: 'cap-nhat-cho-dem-ben-den',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 37,
  content: `
<p>Bạn còn nhớ cảnh hàng trăm ninja đứng chen nhau ở cổng làng, rao “bán ngọc, bán áo, giá thương lượng” trôi vùn vụt không kịp đọc? Từ bản này, chúng tôi dời chợ xuống <strong>Bến Đèn</strong>, rộng rãi, sáng sủa, và ai cũng có thể mở một sạp của riêng mình.</p>
${figure('game/cho-dem', 'Các sạp hàng sáng đèn trong khu chợ đêm bên sông', 'Chợ họp từ chập tối đến nửa đêm.')}
<h2>Sạp hàng cá nhân</h2>
<ul>
<li>Từ cấp 25, bạn thuê được một sạp với giá <strong>20,000 yên mỗi đêm</strong>.</li>
<li>Bày tối đa mười hai món, ghi giá rõ ràng. Khách mua xong yên về thẳng túi bạn, không cần đứng trông.</li>
<li>Thoát game sạp vẫn mở tới hết phiên chợ.</li>
</ul>
<h2>Tìm hàng dễ hơn</h2>
<p>Ở đầu chợ có ông thầy đồ giữ sổ. Hỏi tên món, ông chỉ cho bạn sạp nào đang bán, giá thấp nhất là bao nhiêu, và giá trung bình bảy ngày qua. Không còn cảnh mua hớ vì chưa quen giá.</p>
<h2>Thuế chợ</h2>
<table>
<thead><tr><th>Giá món hàng</th><th>Thuế</th></tr></thead>
<tbody>
<tr><td>Dưới 100,000 yên</td><td>Miễn</td></tr>
<tr><td>100,000 đến 5,000,000 yên</td><td>2%</td></tr>
<tr><td>Trên 5,000,000 yên</td><td>4%</td></tr>
</tbody>
</table>
<p>Thuế dùng để hút bớt yên thừa, giữ cho giá cả không leo thang. Chúng tôi sẽ xem lại con số sau một tháng và kể lại kết quả cho mọi người.</p>
<h2>Sửa lỗi và thay đổi khác</h2>
<ol>
<li>Khung giao dịch trực tiếp hiện rõ số lượng và cấp ngọc trước khi hai bên bấm đồng ý.</li>
<li>Không còn xem được túi đồ của người khác bằng cách bấm thật nhanh.</li>
<li>Giá ngọc ở sổ chợ khớp với giá dùng trong <a href="/gem-calculator">bảng tính nâng ngọc</a>, bạn chỉ việc chép sang.</li>
</ol>
<blockquote><p>Chợ chỉ dùng <strong>yên</strong>. Mọi lời rao bán lượng hay TCoin lấy tiền mặt đều trái quy định và không được bảo vệ. Muốn có lượng, bạn vào trang <a href="/exchange">Đổi lượng</a> cho chắc.</p></blockquote>
<p>Ghé Bến Đèn tối nay nhé. Nghe nói bà hàng chè ở cuối chợ có một nhiệm vụ bí mật cho ai ăn đủ ba bát.</p>
`,
}
