import { Link } from 'react-router'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { useNetworkQuota } from '../api.ts'
import { levelName, seatsText } from '../network-text.ts'

/** Service level and member quota of the account (network 2). */
export function QuotaCards() {
  const { data, error, mutate } = useNetworkQuota()
  const quota = data?.data
  useReportedFailure(quota === undefined ? error : undefined, mutate)
  return (
    <StatTiles isLoading={quota === undefined && error === undefined}>
      <StatTile label="服务等级" value={quota === undefined ? '—' : levelName(quota.network_level)} />
      <StatTile label="席位（每个组网各计一次）" {...(quota === undefined ? NO_SEATS : toSeats(quota))} />
      <StatTile label="每个组网的中心点" value={quota === undefined ? '—' : `最多 ${quota.network_center_count} 个`} />
    </StatTiles>
  )
}

type Seats = Parameters<typeof seatsText>[0]
const NO_SEATS = { value: '—', share: 0 } as const

function toSeats(quota: Seats) {
  const { network_router_use: used, network_router_count: seats } = quota
  return {
    value: `${countText(used)} / ${countText(seats)}`,
    share: used === 0 ? 0 : used / seats,
    ...seatsNote(quota),
  }
}

function seatsNote(quota: Seats) {
  const { network_router_use: used, network_router_count: seats } = quota
  const isOver = seats > 0 && used > seats
  const missing = isOver ? `超出 ${countText(used - seats)} 个` : seatsText(quota)
  if (missing === null) return {}
  const note = (
    <>
      {missing} <Link to={paths.createTicket}>提交工单</Link>
    </>
  )
  return { note, tone: isOver ? ('bad' as const) : ('warn' as const) }
}
