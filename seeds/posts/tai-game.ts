import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const taiGame: SeedPost = {
  slug: 'tai-game-cho-moi-may',
  title: 'Tải game cho mọi máy: Java, Android, PC và iOS',
  categories: ['huong-dan'],
  cover: 'tai-game-cho-moi-may',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 29,
  content: `
<p>Tinh Hoa Ninja sinh ra từ thời điện thoại còn bàn phím số, và đến giờ vẫn chạy ngon trên những chiếc máy ấy. Dù bạn dùng máy gì, trang <a href="/download">Tải game</a> cũng tự nhận ra và đưa bản phù hợp lên đầu. Muốn xem hết thì bấm “xem tất cả phiên bản”.</p>
<h2>Chọn bản nào?</h2>
<table>
<thead><tr><th>Máy của bạn</th><th>Bản nên tải</th><th>Ghi chú</th></tr></thead>
<tbody>
<tr><td>Điện thoại Android</td><td>Android (có auto)</td><td>Cho phép “cài ứng dụng không rõ nguồn gốc” khi máy hỏi.</td></tr>
<tr><td>iPhone, iPad</td><td>iOS hoặc iOS auto</td><td>Làm theo <a href="/download/ios">hướng dẫn cài trên iOS</a>, có hình từng bước.</td></tr>
<tr><td>Máy tính</td><td>PC hoặc PC auto</td><td>Giải nén rồi mở, không cần cài đặt.</td></tr>
<tr><td>Nokia màn hình nhỏ</td><td>Java 148 x1</td><td>Nhẹ nhất, dành cho máy ít bộ nhớ.</td></tr>
<tr><td>Nokia E71, E72</td><td>Java E71, Java E72</td><td>Đã chỉnh cho bàn phím đầy đủ và màn hình ngang.</td></tr>
<tr><td>Máy Java khác</td><td>Java 148 x3, x6 hoặc 211 x1</td><td>Số sau chữ x là độ phóng hình; màn hình càng nét chọn càng lớn.</td></tr>
</tbody>
</table>
${figure('covers/tai-game-cho-moi-may', 'Điện thoại phím bấm, điện thoại cảm ứng và máy tính xếp cạnh nhau', 'Máy cũ hay máy mới đều có chỗ trong làng.')}
<h2>Cài trên Android trong ba bước</h2>
<ol>
<li>Mở trang <a href="/download">Tải game</a> bằng chính điện thoại, bấm nút tải.</li>
<li>Mở tệp vừa tải. Nếu máy cảnh báo, vào phần cài đặt, cho phép trình duyệt cài ứng dụng rồi quay lại.</li>
<li>Mở game, chọn đúng máy chủ bạn đã đăng ký: Trúc Lâm, Bạch Vân hay Hồng Nguyệt.</li>
</ol>
<h2>Gặp trục trặc?</h2>
<h3>Báo “ứng dụng chưa được cài đặt”</h3>
<p>Thường do máy hết chỗ trống. Xóa bớt vài đoạn phim cũ là được.</p>
<h3>Vào game chữ bị lỗi dấu</h3>
<p>Bạn đang dùng bản cũ. Tải bản mới rồi cài đè lên, nhân vật không mất vì dữ liệu nằm trên máy chủ.</p>
<h3>iPhone báo “nhà phát triển chưa được tin cậy”</h3>
<p>Xem mục cuối trong <a href="/download/ios">hướng dẫn iOS</a>: vào phần Cài đặt chung, chọn quản lý thiết bị rồi bấm tin cậy.</p>
<blockquote><p>Chỉ tải game từ trang này. Những bản “mod”, “hack lượng” trôi nổi trên mạng thường kèm mã độc lấy cắp mật khẩu, và tài khoản dùng chúng sẽ bị khóa.</p></blockquote>
<p>Cài xong rồi thì chào mừng bạn xuống núi. Quà ra mắt đang chờ ở trang <a href="/gift">Quà tân thủ</a>.</p>
`,
}
