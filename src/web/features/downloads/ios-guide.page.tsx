import { BackLink } from '#web/parts/navigation/links.tsx'
import { PageState } from '#ui/page-state.tsx'
import { downloadVersions } from '#web/features/downloads/download-versions.ts'
import { deviceNames } from '#web/features/downloads/downloads.copy.ts'
import { VersionLink } from '#web/features/downloads/version-list.tsx'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { settingsQuery, useSettings } from '#web/parts/settings/settings.ts'

const copy = {
  description: 'Bốn bước cài game trên iPhone và iPad: mở Safari, tải game, tin cậy nhà phát triển, mở game.',
  intro: 'Chỉ cần bốn bước, khoảng ba phút. Hãy kết nối Wi-Fi trước khi tải.',
  steps: [
    {
      picture: 'safari',
      title: 'Mở trang này bằng Safari',
      text: 'iPhone chỉ cho cài game từ Safari. Nếu bạn đang xem trong Zalo hoặc Facebook, hãy chạm vào nút chia sẻ rồi chọn mở bằng Safari.',
    },
    {
      picture: 'install',
      title: 'Tải và cài đặt',
      text: 'Chạm vào nút tải bên dưới, chọn “Cài đặt” khi máy hỏi rồi về màn hình chính chờ biểu tượng game hiện đủ màu.',
    },
    {
      picture: 'trust',
      title: 'Tin cậy nhà phát triển',
      text: 'Vào Cài đặt › Cài đặt chung › VPN & Quản lý thiết bị, chọn nhà phát triển của game rồi chạm “Tin cậy”.',
    },
    {
      picture: 'play',
      title: 'Mở game và đăng nhập',
      text: 'Mở game từ màn hình chính, đăng nhập bằng tài khoản của bạn trên trang này và vào làng.',
    },
  ],
  step: (number: number) => `Bước ${number}`,
  back: 'Tất cả phiên bản',
  notReady: 'Bản iOS chưa có đường dẫn tải. Bạn quay lại sau nhé!',
} as const

function IosGuidePage() {
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.download}>{copy.back}</BackLink>
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.iosGuide.title}</h1>
      <p className="mt-3 max-w-text text-soft">{copy.intro}</p>
      <ol className="mt-6 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        {copy.steps.map(({ picture, title, text }, index) => (
          <li key={picture} className="overflow-hidden rounded-xl border border-line bg-raised shadow-card">
            <img
              src={`/images/ios-guide/${picture}.webp`}
              width={480}
              height={420}
              alt=""
              loading={index === 0 ? 'eager' : 'lazy'}
              className="block h-auto w-full"
            />
            <div className="p-4">
              <h2 className="text-lg">
                <span className="block text-sm text-vermilion">{copy.step(index + 1)}</span>
                {title}
              </h2>
              <p className="mt-1 text-[0.9375rem]">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <IosVersions />
    </div>
  )
}

function IosVersions() {
  const offer = downloadVersions(useSettings()).find(({ device }) => device === 'ios')
  if (!offer) return <PageState title={copy.notReady} />
  return (
    <section className="mt-8 max-w-2xl">
      <h2 className="mb-4 text-xl">{deviceNames.ios}</h2>
      <ul className="grid gap-5 sm:grid-cols-2">
        {offer.versions.map((version) => (
          <li key={version.key}>
            <VersionLink version={version} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export const page: Page = {
  Component: IosGuidePage,
  queries: () => [settingsQuery],
  head: () => ({ description: copy.description }),
}
