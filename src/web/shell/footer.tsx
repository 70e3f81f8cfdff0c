import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { askForConsent } from '#web/parts/pixel/consent.ts'
import { pixelCopy } from '#web/parts/pixel/pixel.copy.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const links = [
  { label: 'Trang chủ', to: paths.home },
  { label: 'Tải game', to: paths.download },
  { label: 'Cộng đồng', to: paths.community },
  { label: 'Nạp TCoin', to: paths.recharge },
  { label: 'Đổi lượng', to: paths.exchange },
  { label: 'Bảng xếp hạng', to: paths.ranking },
  { label: 'Giải đấu', to: paths.tournaments },
  { label: 'Tính nâng ngọc', to: paths.gemCalculator },
]

export function Footer() {
  const settings = useSettings()
  const siteName = siteNameOf(settings)
  return (
    <footer className="shell-foot mt-14 bg-night text-on-night">
      <div className="shell-width flex flex-col gap-6 py-8 md:flex-row md:items-start md:justify-between">
        <div className="flex max-w-md items-start gap-4">
          <span aria-hidden="true" className="seal mt-1 px-2.5 py-3 text-lg">
            12+
          </span>
          <p className="text-[0.9375rem] text-on-night-soft">
            Game dành cho người chơi từ 12 tuổi trở lên. Chơi quá 180 phút một ngày sẽ ảnh hưởng xấu đến sức
            khỏe.
          </p>
        </div>
        <nav aria-label="Cuối trang">
          <ul className="grid grid-cols-2 gap-x-6 sm:grid-cols-4">
            {links.map(({ label, to }) => (
              <li key={to}>
                <Link to={to} className="flex min-h-11 items-center hover:underline">
                  {label}
                </Link>
              </li>
            ))}
            {settings.pixel_id && (
              <li className="col-span-full">
                <button
                  type="button"
                  className="while-scripting flex min-h-11 items-center hover:underline"
                  onClick={askForConsent}
                >
                  {pixelCopy.settings}
                </button>
              </li>
            )}
          </ul>
        </nav>
      </div>
      <p className="shell-width pb-8 text-sm text-on-night-soft">© {siteName}</p>
    </footer>
  )
}
