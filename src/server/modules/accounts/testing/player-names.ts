const namesIn = (text: string) => text.trim().split(/\s+/)

/** Names by which their bearers would pose as staff or as the portal. */
export const POSING = namesIn(`
  congninja CongNinja c0ngninja congninja1 congninja2026 congninjavn congninjavip congninjahotro hotrocongninja
  c0ngn1nja
  official 0fficial officia1 officiaI offlciaI official2026 officialvn ninjaofficial officialninja gameofficial
  system sy5tem syst3m system01 system247 systemvn gamesystem
  hethong h3thong heth0ng hethong1 hethongvn hethonggame hethongninja
  ketoan ket0an k3toan ketoan01 ketoantruong ketoanvn ketoangame
  napthe n4pthe napth3 napthe24h napthe247 naptheninja napthevn hotronapthe napthetcoin naptien naptcoin naptienuytin doithe24h
  admin01 adm1n01 4dmin1 ad4min admin5 adrnin adrnin1 aclmin2 admln1 adminh5 adminhai adminthanh realadmin theadmin xxadminxx
  administrator adm1nistrator sysadmin admingame badmintonadmin
  gm0001 gm123456 gm2026 gmninja gm1ninja gamemaster g4memaster gm0vn
  moderator m0derator mod001 m0d001 rnod01 smod99 modgame
  support supp0rt 5upport supporter support24 supportvn supportteam
  hotro24 h0tro24 hotro24h hotr0vn hotromomo hotrothanhtoan hotrokythuat hotrotaikhoan hotrokhachhang
  cskhvn cskh24h cskh247 chamsockhachhang
  quantri quantr1 quantrivien banquantri bandieuhanh quantrigame quantriweb
  operator operat0r owner01 staff01 staffvn helpdesk hotline1 webmaster vvebmaster noreply
  chinhthuc nhaphathanh AdminTinhHoaDaoNinja tinhhoadaoninja TinhHoaDaoNinja1 t1nhh0ad40ninja
`)
/** Names of players as they are everywhere. */
export const ORDINARY = namesIn(`
  hotrong hotrong99 modan12 systemofadown systematic moderne modern01 hotrongnghia supportive officially cskhoa
  quantrinh quantrung quantriet gmaildep hethongnhat thongbao1 thuquy99 thungan12 taichinh vanhanh01 kythuat
  ketoanh ketnoi99 napoleon naptheong hoangtuan ninja123 ninjavip ninjarua ninjabongdem tinhhoa123 congtu99 congchua1 congvinh9
  nguyenvana nguyenthib tranvanc lethidung phamquocbao hoangminhtri vothanhdat dangthuha buitienzung doduymanh
  ngoquangtruong duongvanlam lyhoangnam phanvanduc truongvandat huynhanh99 dinhbang1 trinhminhduc maiphuongthuy hathanhlong
  thanhtoan thanhtoan99 thanhtoan1997 vinhbao99 giabao2010 minhquan123 anhkhoa08 baongoc97 kimngan99 thuylinh2k
  hoanganh2k3 ducanh2004 minhanh99 quanghuy01 tuananh1990 vietanh88 hailong77 thanhdat5 trungkien3 manhcuong9
  quockhanh2 honganh11 lananh22 phuonganh3 ngocanh44 mylinh55 diemquynh6 khanhlinh7 thaotrang8 haiyen99
  modung99 modao123 gmdragon gmail2000 gminhduc gmnguyen smodern1 mood2001 moody123 model001 modem123 moderate
  badminton badminton99 adnim123 damin123 adam2000 adidas99 adriminh
  owlnight ownage99 homeowner staffan1 steffi99 hotboy99 hotgirl1 hotdog12 hotlinh1 hottrend
  sasuke123 naruto99 kakashi7 itachi01 madara88 hashirama tobirama minato99 hinata12 sakura2k
  dragonball luffy2000 zoro1234 conan123 doraemon1 pikachu9 songoku99 vegeta12 yasuo123 leesin99
  kiemkhach docco123 bachho99 hacho123 thienlong1 phuonghoang rongvang9 hotieu12 soitrang tieulongnu
  cuongdola bomonline matkinh1 caheo123 meomeo99 chocon12 gauconbeo vitcon22 thocon33 chimse44
  lonely123 boyhanoi girlsaigon haiphong16 danang43 cantho65 thanhhoa36 nghean37 hatinh38 quangninh14
  viet1234 vietnam1 vietcong1 vnpro123 vnvodich game1234 gamethu9 gamer001 webtoon1 teamnhanh
  serverus1 bankok99 theking1 reality9 appota12 portal99 momo1234 momocute acb12345
  bqt1999 nph2000 napvip99 naphuong9 napha123 doitho12 doithay1 ketui123 hethoi12 hettien9
`)
