import { Button } from '#ui/button.tsx'
import { choosePixel } from '#web/parts/pixel/choose-pixel.ts'
import type { Choice } from '#web/parts/pixel/consent.ts'
import { NoticeBar } from '#web/parts/consents/notice-bar.tsx'

export const pixelCopy = {
  title: 'Cho phép đo quảng cáo?',
  question:
    'Nếu bạn đồng ý, trang tải công cụ Meta Pixel để Facebook đếm lượt xem bài, đăng ký và lần nạp đầu. Tên tài khoản, số điện thoại và số tiền không bao giờ được gửi đi. Bạn có thể đổi ý bất cứ lúc nào ở cuối trang.',
  current: { granted: 'Hiện tại: bạn đã đồng ý.', denied: 'Hiện tại: bạn không đồng ý.' },
  agree: 'Đồng ý',
  refuse: 'Không đồng ý',
} as const

export type ConsentBarProps = { choice: Choice | 'open'; isAsked: boolean }

/** The question, at the foot of the screen. Both answers look alike, so that neither is suggested. */
export function ConsentBar({ choice }: ConsentBarProps) {
  const answer = (given: Choice) => void choosePixel(given, 'pixel-question')
  return (
    <NoticeBar
      name="consent-bar"
      padding="gap-3 py-4"
      title={pixelCopy.title}
      text={pixelCopy.question}
      buttons={
        <>
          <Button kind="plain" className="flex-1" onClick={() => answer('denied')}>
            {pixelCopy.refuse}
          </Button>
          <Button kind="plain" className="flex-1" onClick={() => answer('granted')}>
            {pixelCopy.agree}
          </Button>
        </>
      }
    >
      {choice !== 'open' && <p className="mt-1 text-sm font-bold">{pixelCopy.current[choice]}</p>}
    </NoticeBar>
  )
}
