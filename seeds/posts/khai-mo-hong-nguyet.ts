import { figure } from './seed-post.ts'
import type { SeedPost } from './seed-post.ts'

export const khaiMoHongNguyet: SeedPost = {
  slug: 'khai-mo-may-chu-hong-nguyet',
  title: 'Máy chủ Hồng Nguyệt chính thức mở cổng',
  categories: ['tin-tuc', 'su-kien'],
  cover: 'khai-mo-may-chu-hong-nguyet',
  isNew: true,
  isPinned: true,
  publishedDaysAgo: 1,
  content: `
<p>Trăng đỏ đã lên trên dãy Trúc Lâm. Sau hai tuần thử nghiệm kín cùng hơn một nghìn bạn chơi, <strong>Hồng Nguyệt</strong> – máy chủ thứ ba của Tinh Hoa Ninja – hôm nay mở cổng cho tất cả mọi người. Ai cũng bắt đầu từ cấp 1, chưa ai có bang hội, chưa ai giữ ngôi đầu bảng. Nói ngắn gọn: đây là lúc đẹp nhất để làm lại từ đầu.</p>
<h2>Có gì đang chờ bạn?</h2>
<ul>
<li><strong>Đua cấp 14 ngày.</strong> Mười ninja lên cấp nhanh nhất mỗi phái được khắc tên lên bia đá giữa làng, ai vào làng cũng trông thấy.</li>
<li><strong>Lập bang miễn phí.</strong> Trong bảy ngày đầu, bang chủ không mất yên khi dựng cờ. Bang đủ mười thành viên nhận ngay một rương vật liệu.</li>
<li><strong>Trùm trăng đỏ.</strong> Đêm nào trăng cũng gọi một con Hồng Nhãn Lang xuống Rừng Trúc. Nó khỏe, nó nhanh, và nó không chờ ai đủ đội.</li>
</ul>
${figure('covers/khai-mo-may-chu-hong-nguyet', 'Trăng đỏ treo trên cổng làng ninja trong đêm', 'Cổng làng Hồng Nguyệt đêm mở cửa.')}
<h2>Bắt đầu thế nào?</h2>
<ol>
<li><a href="/download">Tải bản game mới nhất</a> hợp với máy của bạn. Bản cũ vẫn đăng nhập được nhưng chưa thấy máy chủ mới trong danh sách.</li>
<li>Đăng ký tài khoản ngay trên trang này và chọn máy chủ <strong>Hồng Nguyệt</strong>. Mỗi số điện thoại chỉ dùng cho một tài khoản.</li>
<li>Vào game, đặt tên nhân vật thật kêu rồi tìm trưởng làng để nhận nhiệm vụ đầu tiên.</li>
</ol>
<p>Tài khoản đã có ở Trúc Lâm và Bạch Vân vẫn giữ nguyên, không bị ảnh hưởng gì. Ba máy chủ chạy độc lập: nhân vật, lượng và yên không chuyển qua lại được.</p>
<h2>Vài lời nhắn</h2>
<p>Ngày đầu đông vui nên có lúc phải xếp hàng vài phút mới vào được làng; bạn cứ để yên màn hình, đừng thoát ra vào lại kẻo mất lượt. Nếu gặp lỗi, hãy chụp màn hình và gửi vào <a href="/community">Box Zalo Hồng Nguyệt</a>, đội hỗ trợ trực tới nửa đêm suốt tuần này.</p>
<blockquote><p>“Ninja giỏi không phải người đến sớm nhất, mà là người còn đứng vững khi trăng lặn.” – Trưởng làng Trúc Lâm</p></blockquote>
<p>Hẹn gặp bạn dưới ánh trăng đỏ!</p>
`,
}
