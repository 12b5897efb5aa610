import { useEffect } from 'react'
import { useBrand } from '../../lib/brand.ts'

/** The page's name before the host's. */
export function useTitle(title: string | undefined): void {
  const { title: site } = useBrand()
  useEffect(() => {
    document.title = title === undefined ? site : `${title} - ${site}`
  }, [title, site])
}
