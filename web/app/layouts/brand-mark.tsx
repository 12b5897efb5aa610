import { useBrand } from '#lib/session/brand.ts'
import { useTheme } from '#ui/layout/theme.ts'
import './brand-mark.css'

/** The host's logo, or its title where it has none. */
export function BrandMark() {
  const { logo, logo_dark, name, title } = useBrand()
  const { theme } = useTheme()
  const src = theme === 'dark' ? logo_dark || logo : logo
  if (src === '') return <span className="nl-brand">{title}</span>
  return <img className="nl-brand" src={src} alt={name ?? title} height="28" />
}
