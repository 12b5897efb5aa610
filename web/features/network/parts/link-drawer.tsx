import { SideDrawer } from '../../../ui/side-drawer.tsx'
import type { Link } from '../projection.ts'
import { LinkList } from './link-list.tsx'

interface LinkDrawerProps {
  readonly links: readonly Link[]
  readonly toName: (routerName: string) => string
  readonly isStale: boolean
  readonly onClose: () => void
}

/** One link, or all links between a collapsed group and a centre. */
export function LinkDrawer({ links, toName, isStale, onClose }: LinkDrawerProps) {
  return (
    <SideDrawer title={links.length === 1 ? '链路' : `链路（${links.length}）`} onClose={onClose}>
      <LinkList
        links={links}
        isStale={isStale}
        toTitle={(link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`}
      />
    </SideDrawer>
  )
}
