import { Link } from 'react-router'
import { NETWORK_STATUS } from '../../../../worker/contract/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { NothingYet } from '../../../ui/states.tsx'
import { useLatestNetworks } from '../api.ts'
import { Card } from './card.tsx'
import { Rows } from './rows.tsx'

export function NetworksCard() {
  const query = useLatestNetworks()
  return (
    <Card title="智能组网" more={paths.networks()} query={query}>
      {({ data, count }) =>
        data.length === 0 ? (
          <NothingYet
            title="暂无组网"
            hint="创建组网后，分支与终端即可互联"
            action={<Link to={paths.networks()}>前往创建</Link>}
          />
        ) : (
          <Rows rows={data} total={{ count, unit: '个组网' }}>
            {(network) => (
              <li key={network.network_number}>
                <Link to={paths.network(network.network_number)}>{network.network_name}</Link>
                {network.network_status === NETWORK_STATUS.overQuota && <em className="nl-tone-bad">已停用</em>}
                <span>
                  在线 {countText(network.online_count)} / {countText(network.member_count)}
                </span>
              </li>
            )}
          </Rows>
        )
      }
    </Card>
  )
}
