import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const songDau: SeedPost = {
  slug: 'giai-song-dau-trang-ram',
  title: 'Mở đăng ký giải Song Đấu Trăng Rằm',
  categories: ['su-kien'],
  cover: 'giai-song-dau-trang-ram',
  isNew: true,
  isPinned: false,
  publishedDaysAgo: 2,
  content: `
<p>Sân đá sau chùa Bạch Vân đã quét sạch lá, hai ngọn đuốc đã thắp. <strong>Song Đấu Trăng Rằm</strong> – giải đấu tay đôi lớn nhất mùa này – chính thức nhận người ghi danh. Một chọi một, không bang hội, không đồng đội, chỉ có bạn, vũ khí của bạn và người đứng đối diện.</p>
<h2>Thể lệ tóm tắt</h2>
<ul>
<li><strong>Hình thức:</strong> đấu tay đôi, loại trực tiếp. Bốc thăm phát trực tiếp trên fanpage.</li>
<li><strong>Phái:</strong> cả sáu phái đều được dự: Kiếm, Phi tiêu, Kunai, Cung, Đao, Liềm.</li>
<li><strong>Có mặt đúng giờ:</strong> khi được gọi tên, bạn có <strong>1 phút</strong> để vào sân. Quá một phút mà vắng mặt thì bị xử thua.</li>
<li><strong>Lệ phí:</strong> trả bằng lượng khi ghi danh ở chỗ trọng tài trong game, toàn bộ góp vào quỹ giải.</li>
</ul>
<h2>Mỗi vòng đánh mấy điểm?</h2>
<table>
<thead><tr><th>Vòng</th><th>Số điểm của trận</th></tr></thead>
<tbody>
<tr><td>Chung kết</td><td>5</td></tr>
<tr><td>Tranh hạng ba</td><td>3</td></tr>
<tr><td>Bán kết</td><td>3</td></tr>
<tr><td>Tứ kết</td><td>3</td></tr>
<tr><td>Các vòng loại</td><td>1</td></tr>
</tbody>
</table>
${figure('covers/giai-song-dau-trang-ram', 'Hai ninja cầm kiếm đối mặt trước vầng trăng rằm', 'Trăng tròn, gió lặng, chỉ còn tiếng thép.')}
<h2>Chuẩn bị thế nào cho đỡ run?</h2>
<ol>
<li>Vào sân tập trước giải ít nhất một lần, làm quen với khoảng cách. Sân giải hẹp hơn sân làng: phái Cung và Phi tiêu cần tính lại bước lùi.</li>
<li>Kiểm tra bùa và thuốc. Trong trận không mua thêm được gì cả.</li>
<li>Sạc đầy pin, bật chế độ không làm phiền. Một cuộc gọi đến giữa chung kết là nỗi buồn của mùa trước, đừng lặp lại.</li>
</ol>
<h2>Theo dõi ở đâu?</h2>
<p>Danh sách cặp đấu và kết quả từng trận được cập nhật trên trang <a href="/tournaments">Giải đấu</a> ngay khi trọng tài bấm còi. Bình luận trực tiếp trong nhóm cộng đồng; đường dẫn có ở trang <a href="/community">Box Zalo</a>.</p>
<blockquote><p>Mùa trước, một tay Liềm cấp 61 đã thắng liền bảy trận để vào chung kết. Năm nay, biết đâu là bạn?</p></blockquote>
<p>Ghi danh sớm kẻo hết chỗ. Hẹn gặp bạn ở sân đá!</p>
`,
}
