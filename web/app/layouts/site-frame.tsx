import { legalAddress, useBrand } from '#lib/session/brand.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { useTheme } from '#ui/layout/theme.ts'
import './site-frame.css'

/* Brand mark and footer shared by the layouts. */

export function BrandMark() {
  const { logo, logo_dark, name, title } = useBrand()
  const { theme } = useTheme()
  const src = theme === 'dark' ? logo_dark || logo : logo
  if (src === '') return <span className="nl-brand">{title}</span>
  return <img className="nl-brand" src={src} alt={name ?? title} height="28" />
}

const LEGAL_TEXTS = [
  { kind: 'clause', title: '服务条款' },
  { kind: 'privacy', title: '隐私政策' },
] as const
const REGISTRY = 'https://beian.miit.gov.cn/'

/** Legal links, handbook, copyright and filing number, as far as the host shows them (account 1). They open in a new tab. */
export function SiteFooter() {
  const brand = useBrand()
  const { handbook, copyright, filing_number } = brand
  return (
    <footer className="nl-foot">
      {LEGAL_TEXTS.map(({ kind, title }) => {
        const address = legalAddress(brand, kind)
        return (
          address !== null && (
            <a key={kind} href={address} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
          )
        )
      })}
      {handbook && (
        <a href={publicPaths.handbook} target="_blank">
          帮助手册
        </a>
      )}
      <a href={publicPaths.licenses} target="_blank">
        开源声明
      </a>
      {copyright !== null && <span>{copyright}</span>}
      {filing_number !== null && (
        <a href={REGISTRY} target="_blank" rel="noopener noreferrer">
          {filing_number}
        </a>
      )}
    </footer>
  )
}
