-- expand
-- The texts that come with the portal name what players are given, ask and are told since they were written. Where nobody
-- agreed to anything yet they are replaced; elsewhere they become a new version, unless an operator has published another.
CREATE TEMPORARY TABLE new_legal_text ON COMMIT DROP AS SELECT * FROM (VALUES
('terms', '<p>Điều khoản này là thỏa thuận giữa bạn và đơn vị vận hành cổng (nêu ở cuối trang). Khi bấm “Đăng ký”, bạn đồng ý với bản điều khoản đang áp dụng lúc đó; cổng ghi lại số bản và thời điểm.</p>
<h2>1. Tài khoản</h2>
<ul><li>Bạn cung cấp số điện thoại của chính mình. Cổng dùng số này để giúp bạn lấy lại tài khoản.</li><li>Game và cổng dành cho độ tuổi ghi ở cuối trang. Người chưa đủ 16 tuổi cần cha mẹ hoặc người giám hộ đồng ý và theo dõi thời gian chơi.</li><li>Mật khẩu và mã OTP là của riêng bạn. Đội vận hành không bao giờ hỏi mật khẩu hay mã OTP.</li><li>Không mua bán, cho thuê tài khoản; không dùng tài khoản của người khác khi chưa được họ cho phép.</li></ul>
<h2>2. TCoin, lượng và vật phẩm</h2>
<ul><li>TCoin là đơn vị dùng trong cổng, chỉ để đổi lấy lượng và gói quà trong game hoặc chuyển cho người chơi khác theo hạn mức. TCoin không phải tiền, không sinh lãi và không đổi ngược thành tiền, trừ các trường hợp trong <a href="/refunds">Chính sách hoàn tiền</a>.</li><li>Giá và tỉ lệ là những gì trang hiện lúc bạn xác nhận. Giá đổi giữa chừng thì cổng hỏi lại trước khi trừ TCoin.</li><li>Vật phẩm được giao vào nhân vật bạn chọn. Không giao được thì TCoin được hoàn vào ví.</li><li>Thưởng nạp, mã quà, mốc nạp, điểm danh và thưởng mời bạn có điều kiện như trang hiện lúc bạn lập đơn hoặc lúc nhận. TCoin được tặng dùng như TCoin đã nạp. Khoản nạp bị thu hồi thì TCoin thưởng của khoản đó cũng bị thu hồi; vật phẩm đã nhận thì không.</li><li>Phí dự giải thu bằng lượng của nhân vật, chỉ khi đội được nhận. Giải bị hủy, đội không được nhận hoặc rời giải trước khi bốc thăm: phí được hoàn đủ.</li></ul>
<h2>3. Những việc không được làm</h2>
<ul><li>Dùng phần mềm gian lận, khai thác lỗi của game hay của cổng, tấn công hoặc dò tìm tài khoản của người khác.</li><li>Dùng tên, nội dung trái pháp luật, xúc phạm người khác hoặc giả làm đội vận hành.</li><li>Nạp bằng tiền không phải của mình hoặc hủy khoản thanh toán sau khi đã dùng TCoin.</li><li>Lập nhiều tài khoản để nhận quà hoặc thưởng nhiều lần.</li></ul>
<h2>4. Khóa tài khoản</h2>
<p>Khi có vi phạm, đội vận hành có thể khóa giao dịch hoặc khóa đăng nhập, có lý do và thời hạn. Bạn có thể khiếu nại theo mục 6. TCoin còn lại không bị lấy đi vì bị khóa, trừ phần có được do vi phạm.</p>
<h2>5. Gián đoạn và thay đổi</h2>
<ul><li>Cổng có thể tạm ngừng để bảo trì; thông báo hiện trên mọi trang.</li><li>Khi điều khoản thay đổi, bản mới có số mới. Bạn được hỏi khi đăng nhập; các bản cũ vẫn đọc được tại trang này.</li></ul>
<h2>6. Khiếu nại</h2>
<p>Liên hệ theo thông tin ở cuối trang. Về khoản nạp chưa vào ví, bạn có thể gửi yêu cầu ngay ở trang Nạp TCoin; về việc khác, bấm “Báo vấn đề” ở đơn, biên nhận hoặc dòng lịch sử đó. Tranh chấp không tự giải quyết được thì theo pháp luật Việt Nam.</p>'),
('privacy', '<p>Trang này nói cổng giữ dữ liệu gì của bạn, để làm gì, bao lâu, và bạn có quyền gì. Bên chịu trách nhiệm là đơn vị vận hành nêu ở cuối trang.</p>
<h2>1. Cổng giữ gì và để làm gì</h2>
<ul><li><strong>Tài khoản:</strong> tên đăng nhập, số điện thoại, email nếu bạn nhập, mật khẩu ở dạng không đọc được. Để bạn đăng nhập và lấy lại tài khoản.</li><li><strong>Thanh toán:</strong> đơn nạp, khoản chuyển của ngân hàng hoặc ví (số tiền, thời điểm, nội dung chuyển khoản), lịch sử TCoin. Để cộng đúng tiền cho đúng người và giữ sổ sách theo luật.</li><li><strong>Game:</strong> nhân vật, món đã mua và kết quả giao. Để giao đúng vật phẩm.</li><li><strong>An toàn:</strong> quốc gia nơi đăng nhập, loại thiết bị, các lần đăng nhập. Để báo cho bạn khi có thiết bị lạ và chặn dò mật khẩu. Địa chỉ IP không được lưu cùng lần đăng nhập.</li><li><strong>Những gì bạn gửi:</strong> yêu cầu kiểm tra khoản nạp, vấn đề bạn báo, tin nhắn với đội hỗ trợ và ảnh kèm theo.</li><li><strong>Quà và lời mời:</strong> quà, mã và thưởng bạn đã nhận, ai đã mời ai. Để mỗi thứ chỉ được nhận một lần.</li><li><strong>Thông báo:</strong> những gì cổng đã báo cho bạn và, nếu bạn bật thông báo trên máy, địa chỉ nhận của trình duyệt đó.</li><li><strong>Sự đồng ý:</strong> bạn đã đồng ý với bản văn bản nào, lúc nào.</li></ul>
<h2>2. Giữ bao lâu</h2>
<ul><li>Lịch sử đăng nhập và ảnh biên lai: 90 ngày. Tin nhắn lấy mã OTP: 30 ngày. Nội dung thông báo của ngân hàng: 24 tháng.</li><li>Tài khoản và sổ sách TCoin: đến khi bạn yêu cầu xóa tài khoản; sau đó sổ sách còn lại nhưng không còn tên bạn.</li></ul>
<h2>3. Ai nhận được</h2>
<ul><li>Game mà cổng phục vụ: tên đăng nhập và món bạn mua.</li><li>Ngân hàng, ví và dịch vụ báo tiền vào: đơn nạp của bạn.</li><li>Dịch vụ tin nhắn và thư: số điện thoại hoặc email khi gửi mã, gửi thư.</li><li>Dịch vụ thông báo của trình duyệt bạn dùng (như của Google, Apple, Mozilla): thông báo đã mã hóa, chỉ khi bạn bật thông báo trên máy.</li><li>Công cụ đo quảng cáo (Meta Pixel): chỉ khi bạn đồng ý. Tên tài khoản, số điện thoại và số tiền không được gửi đi. Bạn có thể rút lại bất cứ lúc nào ở cuối trang.</li></ul>
<h2>4. Quyền của bạn</h2>
<ul><li>Biết, xem, nhận bản sao, sửa và yêu cầu xóa dữ liệu của mình; rút lại sự đồng ý; phản đối; khiếu nại đến cơ quan có thẩm quyền.</li><li>Việc tự làm được ngay trên cổng nằm trong mục Hồ sơ. Việc khác, hãy liên hệ theo thông tin ở cuối trang; chúng tôi trả lời trong thời hạn luật định.</li></ul>
<h2>5. Lưu trong trình duyệt</h2>
<p>Cổng lưu phiên đăng nhập, mã nhận ra thiết bị quen, lựa chọn của bạn về quảng cáo và tên người đã mời bạn (7 ngày). Cổng không dùng cookie để theo dõi bạn ở trang khác.</p>')) AS text (kind, content);

UPDATE legal_text SET content = text.content FROM new_legal_text text
  WHERE legal_text.kind = text.kind AND legal_text.version = 1 AND published_by IS NULL
    AND NOT EXISTS (SELECT FROM consent);
INSERT INTO legal_text (kind, version, content)
  SELECT kind, 2, content FROM new_legal_text text
   WHERE EXISTS (SELECT FROM consent)
     AND (SELECT max(version) FROM legal_text published WHERE published.kind = text.kind) = 1;
