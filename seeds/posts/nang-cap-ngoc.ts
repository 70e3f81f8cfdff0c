import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const nangCapNgoc: SeedPost = {
  slug: 'bang-nang-cap-ngoc',
  title: 'Nâng ngọc từ cấp 1 đến cấp 10 hết bao nhiêu?',
  categories: ['huong-dan'],
  cover: 'bang-nang-cap-ngoc',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 18,
  content: `
<p>Hỏi mười ninja “ngọc cấp 10 tốn mấy viên”, thế nào cũng được mười một câu trả lời. Bài này chốt lại bằng con số, kèm vài ví dụ để bạn tự tính cho túi tiền của mình.</p>
<h2>Bảng ngọc cần cho từng cấp</h2>
<table>
<thead><tr><th>Lên cấp</th><th>Số ngọc cần</th><th>Cộng dồn từ đầu</th></tr></thead>
<tbody>
<tr><td>1</td><td>1</td><td>1</td></tr>
<tr><td>2</td><td>20</td><td>21</td></tr>
<tr><td>3</td><td>50</td><td>71</td></tr>
<tr><td>4</td><td>100</td><td>171</td></tr>
<tr><td>5</td><td>200</td><td>371</td></tr>
<tr><td>6</td><td>500</td><td>871</td></tr>
<tr><td>7</td><td>1,000</td><td>1,871</td></tr>
<tr><td>8</td><td>2,000</td><td>3,871</td></tr>
<tr><td>9</td><td>5,000</td><td>8,871</td></tr>
<tr><td>10</td><td>10,000</td><td><strong>18,871</strong></td></tr>
</tbody>
</table>
<p>Nhìn bảng là thấy: riêng cấp cuối đã ngốn hơn một nửa tổng số. Vì thế đa số ninja dừng ở cấp 7, dành phần còn lại cho viên thứ hai.</p>
${figure('covers/bang-nang-cap-ngoc', 'Ba viên ngọc xanh, đỏ, tím tỏa sáng trên bệ đá', 'Càng lên cao, ngọc càng kén người.')}
<h2>Ví dụ cho dễ hình dung</h2>
<h3>Từ cấp 4 lên cấp 7</h3>
<p>Cộng các cấp 5, 6 và 7: 200 + 500 + 1,000 = <strong>1,700 viên</strong>. Nếu giá chợ là 2,500 xu một viên, bạn cần 1,700 × 2,500 = <strong>4,250,000 xu</strong>.</p>
<h3>Từ số không lên cấp 5</h3>
<p>Tổng là <strong>371 viên</strong>. Cũng với giá ấy, bạn cần 927,500 xu, số tiền một tân thủ chăm chỉ gom được sau chừng một tuần đi phụ bản.</p>
<h2>Để máy tính hộ bạn</h2>
<p>Ngại cộng tay? Trang <a href="/gem-calculator">tính chi phí nâng ngọc</a> làm tất cả: chọn cấp đang có, cấp muốn lên, nhập giá một viên và giá máy chủ. Kết quả gồm số ngọc, số xu và số ATM quy ra, đã làm tròn xuống.</p>
<ul>
<li><strong>Giá một viên</strong> lấy theo chợ của máy chủ bạn chơi. Giá ở Trúc Lâm thường rẻ hơn Hồng Nguyệt vì có nhiều người bán.</li>
<li><strong>Mua rải rác</strong> vào giữa tuần. Cuối tuần có giải đấu, ai cũng vội nâng nên giá nhích lên.</li>
<li><strong>Đừng gom một lần</strong> cho cấp 10. Lên từng nấc, dùng từng nấc, sức mạnh có ngay mà ví cũng đỡ xót.</li>
</ul>
<p>Bạn có mẹo gom ngọc hay hơn? Kể cho mọi người nghe ở <a href="/community">Box Zalo</a> nhé.</p>
`,
}
