import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const choiDieuDo: SeedPost = {
  slug: 'choi-game-dieu-do',
  title: 'Chơi game điều độ: lời nhắn từ trưởng làng',
  categories: ['tin-tuc'],
  cover: 'choi-game-dieu-do',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 33,
  content: `
<p>Cuối mỗi trang của cổng game đều có một dòng chữ nhỏ mà nhiều bạn lướt qua: <strong>Game dành cho người chơi từ 12 tuổi trở lên. Chơi quá 180 phút một ngày sẽ ảnh hưởng xấu đến sức khỏe.</strong> Hôm nay chúng tôi xin viết to dòng chữ ấy lên, và kể vì sao nó nằm ở đó.</p>
<h2>180 phút là bao nhiêu?</h2>
<p>Ba tiếng nghe thì dài, mà ngồi săn trùm thì thoắt cái đã hết. Thử chia ra xem:</p>
<table>
<thead><tr><th>Việc trong game</th><th>Thời gian</th></tr></thead>
<tbody>
<tr><td>Nhiệm vụ hằng ngày</td><td>Khoảng 30 phút</td></tr>
<tr><td>Một lượt phụ bản cùng bang</td><td>Khoảng 25 phút</td></tr>
<tr><td>Một trận Hắc Điểu Vương</td><td>Tối đa 25 phút</td></tr>
<tr><td>Đi chợ, trò chuyện, khoe thú cưng</td><td>Tùy hứng</td></tr>
</tbody>
</table>
<p>Làm đủ ba việc đầu mới hết tám mươi phút. Vậy là chúng tôi đã cố tình thiết kế để <em>không ai phải chơi quá nhiều mới theo kịp</em>. Quà đăng nhập không bắt bạn treo máy, thưởng hằng ngày không cộng dồn theo giờ.</p>
${figure('covers/choi-game-dieu-do', 'Ninja ngồi uống trà bên hiên nhà lúc mặt trời mọc', 'Nghỉ tay uống trà cũng là một môn phái.')}
<h2>Với các bạn nhỏ</h2>
<ul>
<li>Chưa đủ 12 tuổi thì chưa chơi được. Thế giới ninja vẫn ở đây, chờ bạn lớn thêm chút nữa.</li>
<li>Đang tuổi đi học: bài vở xong rồi hãy xuống núi. Sư phụ nào cũng dặn vậy.</li>
<li>Muốn nạp TCoin, hãy hỏi bố mẹ trước. Tiền đã đổi thành lượng thì không đổi ngược lại được.</li>
</ul>
<h2>Với phụ huynh</h2>
<p>Nếu con dùng tiền của gia đình để nạp mà chưa xin phép, hãy liên hệ với chúng tôi càng sớm càng tốt qua <a href="/community">các kênh hỗ trợ</a>. Mọi lần nạp đều có trong lịch sử giao dịch nên rất dễ đối chiếu. Chúng tôi cũng có thể tạm khóa giao dịch của tài khoản theo yêu cầu của chủ số điện thoại.</p>
<h2>Dấu hiệu nên nghỉ</h2>
<ol>
<li>Mắt cay, cổ mỏi, ngón tay cái tê.</li>
<li>Thua một trận mà bực cả buổi.</li>
<li>Mẹ gọi ăn cơm lần thứ ba.</li>
</ol>
<blockquote><p>“Cây trúc cao là nhờ đêm nào cũng ngủ.” – Trưởng làng Trúc Lâm</p></blockquote>
<p>Chúc bạn chơi vui, ngủ đủ, và mai lại gặp nhau ở cổng làng.</p>
`,
}
