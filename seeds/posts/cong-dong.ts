import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const congDong: SeedPost = {
  slug: 'tim-nhau-o-dau',
  title: 'Tìm nhau ở đâu? Fanpage, nhóm và năm Box Zalo',
  categories: ['tin-tuc'],
  cover: 'tim-nhau-o-dau',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 43,
  content: `
<p>Chơi một mình thì nhanh lên cấp, chơi cùng nhau thì nhớ lâu. Làng Tinh Hoa Ninja giờ đã đông, mỗi nhóm một nếp sinh hoạt riêng. Bài này giới thiệu từng chỗ để bạn biết gõ cửa nhà nào.</p>
${figure('game/lang-dem', 'Làng ninja lên đèn dưới trăng, khói bếp bay qua mái ngói', 'Tối đến, làng nào cũng có một bếp lửa.')}
<h2>Các kênh chính thức</h2>
<table>
<thead><tr><th>Kênh</th><th>Dùng để làm gì</th></tr></thead>
<tbody>
<tr><td>Fanpage</td><td>Tin mới, phát trực tiếp bốc thăm giải đấu, nhắn tin cho đội hỗ trợ.</td></tr>
<tr><td>Nhóm cộng đồng</td><td>Khoe ảnh, bày mẹo, tìm bang, kể chuyện cười.</td></tr>
<tr><td>Box Tân thủ</td><td>Hỏi gì cũng được, không ai chê câu hỏi ngây ngô.</td></tr>
<tr><td>Box Trúc Lâm, Bạch Vân, Hồng Nguyệt</td><td>Hẹn giờ săn trùm, gom đội phụ bản theo từng máy chủ.</td></tr>
<tr><td>Box Bang hội</td><td>Dành cho bang chủ bàn lịch đấu và hộ tống.</td></tr>
</tbody>
</table>
<p>Tất cả đường dẫn nằm ở trang <a href="/community">Box Zalo</a>. Hãy vào từ đó thay vì bấm đường dẫn người lạ gửi, vì đã có vài nhóm giả mạo lập ra để lừa lấy mật khẩu.</p>
<h2>Nếp nhà</h2>
<ol>
<li><strong>Tử tế trước đã.</strong> Thua thì chúc mừng, thắng thì bắt tay. Công kích cá nhân sẽ bị mời ra ngoài.</li>
<li><strong>Không mua bán tài khoản.</strong> Tài khoản gắn với số điện thoại của bạn; bán rồi mất, chúng tôi cũng không lấy lại giúp được.</li>
<li><strong>Không đăng thông tin riêng</strong> của mình lẫn của người khác, kể cả ảnh chụp biên lai chưa che số.</li>
<li><strong>Báo lỗi cho rõ.</strong> Máy gì, bản nào, đang làm gì, ảnh chụp màn hình. Một tin đủ ý bằng mười tin than thở.</li>
</ol>
<h2>Rủ bạn vào làng</h2>
<p>Vào <a href="/user/profile">Hồ sơ</a>, tìm ô Mời bạn bè rồi bấm Zalo, Facebook hoặc Chia sẻ: đường dẫn mời của bạn đã có sẵn trong đó. Trong bảy ngày kể từ lúc bấm vào, nếu người ấy đăng ký thì hệ thống ghi nhận bạn là người giới thiệu.</p>
<h2>Giờ trực của đội hỗ trợ</h2>
<p>Từ <strong>8:00 đến 23:00</strong> hằng ngày, kể cả ngày lễ. Ngoài giờ, bạn cứ để lại lời nhắn kèm tên đăng nhập và máy chủ; sáng ra chúng tôi trả lời theo thứ tự. Xin nhắc lại: <strong>không bao giờ gửi mật khẩu hay mã OTP</strong> cho bất cứ ai, kể cả người xưng là quản trị viên.</p>
<blockquote><p>Một cây làm chẳng nên non. Ba cây chụm lại… đủ người đi phụ bản.</p></blockquote>
`,
}
