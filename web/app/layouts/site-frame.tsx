import { useBrand } from '#lib/session/brand.ts'
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

const REGISTRY = 'https://beian.miit.gov.cn/'

/** Legal links, handbook, copyright and filing number, as far as the host shows them (account 1). They open in a new tab. */
export function SiteFooter() {
  const { terms, handbook, copyright, filing_number } = useBrand()
  return (
    <footer className="nl-foot">
      {terms && (
        <>
          <a href={publicPaths.clause} target="_blank">
            服务条款
          </a>
          <a href={publicPaths.privacy} target="_blank">
            隐私政策
          </a>
        </>
      )}
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
