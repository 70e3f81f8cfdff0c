import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const baoVeTaiKhoan: SeedPost = {
  slug: 'giu-tai-khoan-an-toan',
  title: 'Năm việc nên làm tối nay để giữ tài khoản an toàn',
  categories: ['huong-dan', 'tin-tuc'],
  cover: 'giu-tai-khoan-an-toan',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 21,
  content: `
<p>Ninja giỏi đến mấy mà quên khóa cửa thì sáng ra cũng trắng tay. Tháng vừa rồi đội hỗ trợ nhận khá nhiều thư kiểu “em cho bạn mượn tài khoản một tối…”. Bài này gom lại năm việc nhỏ, làm hết trong mười phút.</p>
<h2>1. Đặt mật khẩu riêng cho game</h2>
<p>Mật khẩu dài từ 6 đến 20 ký tự. Đừng dùng lại mật khẩu Facebook hay email, đừng lấy luôn tên đăng nhập. Một cách dễ nhớ: ghép hai từ chẳng liên quan với một con số chỉ mình bạn hiểu.</p>
<h2>2. Dùng đúng số điện thoại của mình</h2>
<p>Số điện thoại là chiếc chìa khóa dự phòng. Mất mật khẩu mà còn số thì còn lấy lại được. Mỗi số chỉ gắn với một tài khoản, nên đừng nhờ số người khác khi đăng ký.</p>
<h2>3. Hiểu mã OTP là gì</h2>
<p>Khi làm việc quan trọng như đặt lại mật khẩu hay đổi số, bạn soạn tin <strong>THN OTP</strong> gửi <strong>7039</strong> từ chính số của mình. Tổng đài nhắn lại một mã gồm sáu chữ số; nhập vào ô “Mã OTP” là xong.</p>
<ul>
<li>Mã chỉ dùng được trong vài phút và chỉ cho một việc.</li>
<li>Không ai trong đội vận hành cần mã của bạn. <strong>Ai hỏi mã đều là kẻ gian.</strong></li>
</ul>
${figure('covers/giu-tai-khoan-an-toan', 'Chiếc khiên gỗ có ổ khóa, phía sau là điện thoại hiện mã OTP', 'Sáu chữ số ấy chỉ dành cho bạn.')}
<h2>4. Xem lại lịch sử giao dịch</h2>
<p>Trang <a href="/user/transactions">Lịch sử giao dịch</a> ghi từng lần nạp, đổi, chuyển kèm số dư sau mỗi bước. Mỗi tuần liếc qua một lần; thấy dòng nào lạ thì đổi mật khẩu ngay, mọi máy khác đang đăng nhập sẽ bị đẩy ra.</p>
<h2>5. Cảnh giác với “quà”</h2>
<blockquote><p>“Nhập tài khoản vào trang này để nhận 50,000 lượng.” Đẹp như mơ, và đúng là mơ thật.</p></blockquote>
<p>Quà chính thức chỉ có ở trang <a href="/gift">Quà tân thủ</a> và trong game. Đường dẫn nhóm chính thức chỉ có ở trang <a href="/community">Box Zalo</a>. Ngoài hai nơi ấy, hãy coi như người lạ gõ cửa lúc nửa đêm.</p>
<h2>Lỡ mất rồi thì sao?</h2>
<ol>
<li>Bấm “Quên mật khẩu” trong ô đăng nhập, xác nhận bằng số điện thoại đã đăng ký.</li>
<li>Đặt mật khẩu mới, đăng nhập lại rồi kiểm tra giao dịch.</li>
<li>Nếu số dư có biến động lạ, gửi ngay thời gian và số tiền cho đội hỗ trợ. Báo càng sớm, lần theo dấu vết càng dễ.</li>
</ol>
`,
}
