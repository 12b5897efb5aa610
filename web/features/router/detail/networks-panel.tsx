import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { useMedia } from '#ui/hooks/use-media.ts'
import type { RouterInfo } from '../router-text.ts'
import { NetworkCarousel } from './network-carousel.tsx'
import { NetworkRows } from './network-rows.tsx'

const LISTED = 3 // more of them take turns (network 2)

/** Networks of a router: a list, or the carousel where there are many, unless the person wants no motion. */
export function NetworksPanel({ networks }: { readonly networks: RouterInfo['network'] }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  return (
    <Panel title="所属组网" actions={<Link to={paths.networks()}>组网列表</Link>}>
      {networks.length > LISTED && !isStill ? (
        <NetworkCarousel networks={networks} />
      ) : (
        <NetworkRows networks={networks} />
      )}
    </Panel>
  )
}
