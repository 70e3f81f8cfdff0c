/** The texts of the frame around every page. */
export const shellCopy = {
  skip: 'Đến nội dung chính',
  mainNav: 'Chính',
  moreNav: 'Xem thêm',
  menu: 'Danh mục',
  closeMenu: 'Đóng danh mục',
  /** Parts of the frame that broke or did not arrive. */
  failed: {
    head: 'Phần đầu trang chưa hiện được',
    nav: 'Thanh mục chưa hiện được',
    foot: 'Phần cuối trang chưa hiện được',
    player: 'Tải lại số dư',
  },
  offline: 'Bạn đang ngoại tuyến. Kiểm tra kết nối mạng, trang sẽ tự tiếp tục khi có mạng trở lại.',

  /** Two short lines beside the buttons of a narrow phone. */
  visitor: ['Chào bạn', 'ghé làng!'],
  login: 'Đăng nhập',
  register: 'Đăng ký',
  footer: 'Cuối trang',
  pixelSettings: 'Quyền riêng tư quảng cáo',
} as const
