import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const rungTrucDem: SeedPost = {
  slug: 'cap-nhat-rung-truc-dem',
  title: 'Cập nhật: Rừng Trúc Đêm và lối mòn bị quên lãng',
  categories: ['cap-nhat', 'tin-tuc'],
  cover: 'cap-nhat-rung-truc-dem',
  isNew: true,
  isPinned: false,
  publishedDaysAgo: 3,
  content: `
<p>Người già trong làng vẫn dặn: sau giờ Tuất đừng vào rừng trúc. Từ bản cập nhật này, bạn sẽ hiểu vì sao. <strong>Rừng Trúc Đêm</strong> là bản đồ lớn nhất chúng tôi từng làm, chỉ mở cửa khi mặt trời trong game đã lặn, và đi lạc là chuyện bình thường.</p>
${figure('covers/cap-nhat-rung-truc-dem', 'Rừng trúc trong sương đêm với đôi mắt đỏ thấp thoáng', 'Nghe tiếng lá xào xạc thì đừng quay đầu lại.')}
<h2>Bản đồ mới</h2>
<ul>
<li><strong>Ba tầng rừng</strong> cho ninja từ cấp 40, 60 và 80. Càng vào sâu sương càng dày, tầm nhìn càng hẹp.</li>
<li><strong>Đom đóm dẫn đường.</strong> Bắt được đom đóm ở bìa rừng thì đi đêm sáng rõ trong mười phút. Mỗi đêm chỉ có chừng ấy con, ai nhanh tay thì được.</li>
<li><strong>Lối mòn bị quên lãng.</strong> Ở tầng ba có một con đường không nằm trên bản đồ. Chúng tôi sẽ không nói nó ở đâu.</li>
</ul>
<h2>Quái và phần thưởng</h2>
<p>Lửa Ma và Trúc Yêu xuất hiện theo đàn, đánh lẻ rất mệt, nên rủ thêm một bạn Liềm hoặc Đao. Phần thưởng xứng với công sức: mảnh ngọc rơi nhiều hơn các bản đồ cùng cấp, thêm <em>áo choàng lá trúc</em> chỉ có ở đây.</p>
<h2>Cân bằng phái</h2>
<table>
<thead><tr><th>Phái</th><th>Thay đổi</th></tr></thead>
<tbody>
<tr><td>Kunai</td><td>Dịch chuyển tới dấu kunai không còn bị cây cối chặn lại.</td></tr>
<tr><td>Cung</td><td>Mũi tên nạp lực lâu hơn một nhịp, bù lại bay thẳng hơn.</td></tr>
<tr><td>Đao</td><td>Chiêu Địa Chấn hồi nhanh hơn khi trúng từ ba mục tiêu.</td></tr>
<tr><td>Liềm</td><td>Sửa lỗi xích kéo hụt khi mục tiêu đứng sát vách đá.</td></tr>
</tbody>
</table>
<h2>Những chỗ đã sửa</h2>
<ol>
<li>Máy cấu hình thấp không còn giật khi có hơn hai mươi người đứng ở cổng làng.</li>
<li>Bản Java hiển thị đủ dấu tiếng Việt trong khung chat.</li>
<li>Tên nhân vật trên trang <a href="/exchange">Đổi lượng</a> cập nhật sớm hơn sau khi lên cấp.</li>
</ol>
<p>Bản mới đã có trên trang <a href="/download">Tải game</a>. Xin cài đè lên bản cũ, không cần gỡ ra; dữ liệu nhân vật nằm trên máy chủ nên không mất gì cả. Chúc bạn tìm được đường về trước khi gà gáy.</p>
`,
}
