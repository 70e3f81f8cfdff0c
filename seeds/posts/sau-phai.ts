import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const sauPhai: SeedPost = {
  slug: 'sau-phai-sau-con-duong',
  title: 'Sáu phái, sáu con đường: bạn hợp với vũ khí nào?',
  categories: ['huong-dan'],
  cover: 'sau-phai-sau-con-duong',
  isNew: false,
  isPinned: false,
  publishedDaysAgo: 25,
  content: `
<p>Ai bước chân vào Tinh Hoa Ninja cũng khởi đầu như nhau: một bộ áo vải, một cây gậy gỗ và rất nhiều tò mò. Ở cấp 10, trưởng làng đưa bạn tới cửa đấu trường, nơi sáu sư phụ đang đợi. Chọn phái nào là chọn luôn cách chơi cho quãng đường dài phía trước, nên đọc xong bài này rồi hẵng gõ cửa.</p>
<h2>Cận chiến</h2>
<h3>Kiếm</h3>
<p>Cân bằng, dễ học, khó chê. Đòn ra nhanh, hồi chiêu ngắn, đứng vững ở tuyến đầu. Nếu đây là nhân vật đầu tiên, bạn chọn Kiếm sẽ không bao giờ hối hận.</p>
<h3>Đao</h3>
<p>Mỗi nhát chém là một lần đất rung. Chậm, nhưng trúng thì đau; máu dày nhất sáu phái. Đao thủ giỏi là người biết chờ.</p>
<h3>Liềm</h3>
<p>Kỳ lạ và khó lường: lưỡi cong móc đối thủ lại gần, xích dài quét cả đám. Liềm mạnh nhất khi bị vây, yếu nhất khi phải đuổi theo người khác.</p>
${figure('covers/sau-phai-sau-con-duong', 'Sáu vũ khí của sáu phái xếp quanh con dấu son', 'Kiếm, Phi tiêu, Kunai, Cung, Đao, Liềm.')}
<h2>Tầm xa</h2>
<h3>Phi tiêu</h3>
<p>Ném nhanh, ném nhiều, ném không nghỉ. Sát thương từng chiếc nhỏ nhưng dồn lại thành mưa. Hợp với bạn nào thích vừa chạy vừa đánh.</p>
<h3>Cung</h3>
<p>Tầm bắn xa nhất game. Một mũi tên nạp đủ lực có thể kết thúc trận đấu trước khi nó bắt đầu. Đổi lại, để ai áp sát là khổ.</p>
<h2>Lắt léo</h2>
<h3>Kunai</h3>
<p>Nửa gần nửa xa: phóng ra làm dấu rồi dịch chuyển đến nơi nó cắm. Kunai đòi hỏi tay nhanh mắt sáng, bù lại không phái nào đẹp mắt bằng.</p>
<h2>So sánh nhanh</h2>
<table>
<thead><tr><th>Phái</th><th>Tầm đánh</th><th>Độ khó</th><th>Mạnh ở</th></tr></thead>
<tbody>
<tr><td>Kiếm</td><td>Gần</td><td>Dễ</td><td>Mọi nơi một chút</td></tr>
<tr><td>Phi tiêu</td><td>Xa</td><td>Dễ</td><td>Luyện cấp</td></tr>
<tr><td>Kunai</td><td>Vừa</td><td>Khó</td><td>Đấu tay đôi</td></tr>
<tr><td>Cung</td><td>Rất xa</td><td>Vừa</td><td>Săn trùm</td></tr>
<tr><td>Đao</td><td>Gần</td><td>Vừa</td><td>Giữ cửa, công thành</td></tr>
<tr><td>Liềm</td><td>Vừa</td><td>Khó</td><td>Đánh nhóm</td></tr>
</tbody>
</table>
<p>Vẫn phân vân? Một tài khoản có thể nuôi nhiều nhân vật, cứ thử vài phái rồi hãy dồn sức. Và đừng quên xem <a href="/ranking">bảng xếp hạng</a> để biết cao thủ phái mình đang ở cấp mấy.</p>
`,
}
