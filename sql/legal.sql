-- Terms, privacy and refunds: each published state is a version that stays as it was. Consents name versions.

CREATE TABLE legal_text (
  kind text NOT NULL CHECK (kind IN ('terms', 'privacy', 'refunds')),
  version integer NOT NULL CHECK (version > 0),
  content text NOT NULL CHECK (content <> ''),
  published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null: the text that comes with the portal.
  published_by bigint REFERENCES users (id),
  PRIMARY KEY (kind, version)
);
GRANT SELECT, INSERT ON legal_text TO portal_app;

-- What an operator has written and not published yet.
CREATE TABLE legal_draft (
  kind text NOT NULL CHECK (kind IN ('terms', 'privacy', 'refunds')),
  user_id bigint NOT NULL REFERENCES users (id),
  content text NOT NULL,
  -- The version that was in force when the writing began.
  based_on integer NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, user_id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON legal_draft TO portal_app;

-- What a player agreed to, in which version, when and where; and what they withdrew. Rows are added and stay as they are.
CREATE TABLE consent (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  subject text NOT NULL CHECK (subject IN ('terms', 'privacy', 'pixel')),
  version integer NOT NULL CHECK (version > 0),
  is_given boolean NOT NULL CHECK (is_given OR subject = 'pixel'),
  source text NOT NULL CHECK (source IN ('registration', 'notice', 'consents-page', 'pixel-question')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- A text that was agreed to is a version that was published; the pixel's question is none of them.
  text_kind text GENERATED ALWAYS AS (CASE WHEN subject = 'pixel' THEN NULL ELSE subject END) STORED,
  FOREIGN KEY (text_kind, version) REFERENCES legal_text (kind, version)
);
CREATE INDEX consent_of_user ON consent (user_id, subject, id);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON consent FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT ON consent TO portal_app;

-- The texts that come with the portal.
INSERT INTO legal_text (kind, version, content) VALUES
('terms', 1, '<p>Điều khoản này là thỏa thuận giữa bạn và đơn vị vận hành cổng (nêu ở cuối trang). Khi bấm “Đăng ký”, bạn đồng ý với bản điều khoản đang áp dụng lúc đó; cổng ghi lại số bản và thời điểm.</p>
<h2>1. Tài khoản</h2>
<ul><li>Bạn cung cấp số điện thoại của chính mình. Cổng dùng số này để giúp bạn lấy lại tài khoản.</li><li>Game và cổng dành cho độ tuổi ghi ở cuối trang. Người chưa đủ 16 tuổi cần cha mẹ hoặc người giám hộ đồng ý và theo dõi thời gian chơi.</li><li>Mật khẩu và mã OTP là của riêng bạn. Đội vận hành không bao giờ hỏi mật khẩu hay mã OTP.</li><li>Không mua bán, cho thuê tài khoản; không dùng tài khoản của người khác khi chưa được họ cho phép.</li></ul>
<h2>2. TCoin, lượng và vật phẩm</h2>
<ul><li>TCoin là đơn vị dùng trong cổng, chỉ để đổi lấy lượng và gói quà trong game hoặc chuyển cho người chơi khác theo hạn mức. TCoin không phải tiền, không sinh lãi và không đổi ngược thành tiền, trừ các trường hợp trong <a href="/refunds">Chính sách hoàn tiền</a>.</li><li>Giá và tỉ lệ là những gì trang hiện lúc bạn xác nhận. Giá đổi giữa chừng thì cổng hỏi lại trước khi trừ TCoin.</li><li>Vật phẩm được giao vào nhân vật bạn chọn. Không giao được thì TCoin được hoàn vào ví.</li></ul>
<h2>3. Những việc không được làm</h2>
<ul><li>Dùng phần mềm gian lận, khai thác lỗi của game hay của cổng, tấn công hoặc dò tìm tài khoản của người khác.</li><li>Dùng tên, nội dung trái pháp luật, xúc phạm người khác hoặc giả làm đội vận hành.</li><li>Nạp bằng tiền không phải của mình hoặc hủy khoản thanh toán sau khi đã dùng TCoin.</li></ul>
<h2>4. Khóa tài khoản</h2>
<p>Khi có vi phạm, đội vận hành có thể khóa giao dịch hoặc khóa đăng nhập, có lý do và thời hạn. Bạn có thể khiếu nại theo mục 6. TCoin còn lại không bị lấy đi vì bị khóa, trừ phần có được do vi phạm.</p>
<h2>5. Gián đoạn và thay đổi</h2>
<ul><li>Cổng có thể tạm ngừng để bảo trì; thông báo hiện trên mọi trang.</li><li>Khi điều khoản thay đổi, bản mới có số mới. Bạn được hỏi khi đăng nhập; các bản cũ vẫn đọc được tại trang này.</li></ul>
<h2>6. Khiếu nại</h2>
<p>Liên hệ theo thông tin ở cuối trang. Về khoản nạp chưa vào ví, bạn có thể gửi yêu cầu ngay ở trang Nạp TCoin. Tranh chấp không tự giải quyết được thì theo pháp luật Việt Nam.</p>'),
('privacy', 1, '<p>Trang này nói cổng giữ dữ liệu gì của bạn, để làm gì, bao lâu, và bạn có quyền gì. Bên chịu trách nhiệm là đơn vị vận hành nêu ở cuối trang.</p>
<h2>1. Cổng giữ gì và để làm gì</h2>
<ul><li><strong>Tài khoản:</strong> tên đăng nhập, số điện thoại, email nếu bạn nhập, mật khẩu ở dạng không đọc được. Để bạn đăng nhập và lấy lại tài khoản.</li><li><strong>Thanh toán:</strong> đơn nạp, khoản chuyển của ngân hàng hoặc ví (số tiền, thời điểm, nội dung chuyển khoản), lịch sử TCoin. Để cộng đúng tiền cho đúng người và giữ sổ sách theo luật.</li><li><strong>Game:</strong> nhân vật, món đã mua và kết quả giao. Để giao đúng vật phẩm.</li><li><strong>An toàn:</strong> quốc gia nơi đăng nhập, loại thiết bị, các lần đăng nhập. Để báo cho bạn khi có thiết bị lạ và chặn dò mật khẩu. Địa chỉ IP không được lưu cùng lần đăng nhập.</li><li><strong>Những gì bạn gửi:</strong> yêu cầu kiểm tra khoản nạp và ảnh biên lai.</li><li><strong>Sự đồng ý:</strong> bạn đã đồng ý với bản văn bản nào, lúc nào.</li></ul>
<h2>2. Giữ bao lâu</h2>
<ul><li>Lịch sử đăng nhập và ảnh biên lai: 90 ngày. Tin nhắn lấy mã OTP: 30 ngày. Nội dung thông báo của ngân hàng: 24 tháng.</li><li>Tài khoản và sổ sách TCoin: đến khi bạn yêu cầu xóa tài khoản; sau đó sổ sách còn lại nhưng không còn tên bạn.</li></ul>
<h2>3. Ai nhận được</h2>
<ul><li>Game mà cổng phục vụ: tên đăng nhập và món bạn mua.</li><li>Ngân hàng, ví và dịch vụ báo tiền vào: đơn nạp của bạn.</li><li>Dịch vụ tin nhắn và thư: số điện thoại hoặc email khi gửi mã, gửi thư.</li><li>Công cụ đo quảng cáo (Meta Pixel): chỉ khi bạn đồng ý. Tên tài khoản, số điện thoại và số tiền không được gửi đi. Bạn có thể rút lại bất cứ lúc nào ở cuối trang.</li></ul>
<h2>4. Quyền của bạn</h2>
<ul><li>Biết, xem, nhận bản sao, sửa và yêu cầu xóa dữ liệu của mình; rút lại sự đồng ý; phản đối; khiếu nại đến cơ quan có thẩm quyền.</li><li>Việc tự làm được ngay trên cổng nằm trong mục Hồ sơ. Việc khác, hãy liên hệ theo thông tin ở cuối trang; chúng tôi trả lời trong thời hạn luật định.</li></ul>
<h2>5. Lưu trong trình duyệt</h2>
<p>Cổng lưu phiên đăng nhập, mã nhận ra thiết bị quen, lựa chọn của bạn về quảng cáo và tên người đã mời bạn (7 ngày). Cổng không dùng cookie để theo dõi bạn ở trang khác.</p>'),
('refunds', 1, '<p>Chính sách này nói khi nào TCoin trở lại ví, khi nào tiền được trả lại, và cách yêu cầu.</p>
<h2>1. Hoàn TCoin vào ví</h2>
<ul><li>Món đã mua không giao được vào game: TCoin được hoàn đủ, cổng tự làm hoặc đội vận hành làm.</li><li>Món đã giao đúng nhân vật bạn chọn thì không hoàn, trừ khi vật phẩm bị lỗi do cổng hoặc game.</li></ul>
<h2>2. Tiền đã chuyển nhưng chưa thành TCoin</h2>
<ul><li>Chuyển thiếu, chuyển thừa, chuyển muộn hoặc quên nội dung: đội vận hành ghép khoản chuyển với đơn của bạn và cộng TCoin theo số tiền thực nhận.</li><li>Bạn gửi yêu cầu ở trang Nạp TCoin, mục “Tôi đã chuyển nhưng chưa được cộng”, kèm ảnh biên lai nếu có.</li><li>Khoản chuyển nhầm không thể ghép với ai: được trả lại về tài khoản đã chuyển, sau khi đối chiếu.</li></ul>
<h2>3. Trả lại tiền cho TCoin đã nạp</h2>
<ul><li>TCoin đã nạp và chưa dùng có thể được trả lại bằng tiền khi khoản nạp là do lỗi của cổng, do bị cộng trùng, hoặc do người chưa đủ năng lực hành vi nạp mà không có sự đồng ý của người giám hộ.</li><li>TCoin được tặng, được chuyển từ người chơi khác, hoặc đã dùng thì không trả lại bằng tiền, trừ khi luật quy định khác.</li><li>Tiền chỉ trả về tài khoản đã chuyển đến.</li></ul>
<h2>4. Cách yêu cầu và thời hạn</h2>
<p>Liên hệ theo thông tin ở cuối trang, nêu mã đơn nạp hoặc mã biên nhận. Yêu cầu được ghi nhận, trả lời và xử lý trong thời hạn mà luật bảo vệ quyền lợi người tiêu dùng quy định.</p>');
