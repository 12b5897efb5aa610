import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { CHANNEL_DOWN } from '../../../lib/live.ts'
import type { useRouterQuantity } from '../api.ts'
import { Card } from './card.tsx'
import styles from './members-card.module.css'
import { Meter, Meters } from '../../../ui/meter.tsx'

interface MembersCardProps {
  readonly query: ReturnType<typeof useRouterQuantity>
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
}

export function MembersCard({ query, isStale }: MembersCardProps) {
  return (
    <Card title="成员" more={paths.routers()} query={query}>
      {({ data: { hardware, hardware_online, software, software_online, software_max } }) => (
        <Meters>
          <Meter
            label="硬件成员在线"
            used={hardware_online}
            total={hardware}
            tone={isStale ? 'idle' : 'ok'}
            note={<Offline count={hardware - hardware_online} />}
          />
          <Meter
            label="软件成员在线"
            used={software_online}
            total={software}
            tone={isStale ? 'idle' : 'ok'}
            note={`上限 ${countText(software_max)} 个`}
          />
          {isStale && <p className={styles.stale}>{CHANNEL_DOWN}，以上为最近一次读取的状态</p>}
        </Meters>
      )}
    </Card>
  )
}

function Offline({ count }: { readonly count: number }) {
  if (count === 0) return <>全部在线</>
  return <Link to={paths.routers({ state: 'offline' })}>离线 {countText(count)} 台</Link>
}
