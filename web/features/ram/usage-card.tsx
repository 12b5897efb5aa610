import { Link } from 'react-router'
import { quotaLevel } from '#domain/health/quota.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { useRamQuota } from './api.ts'

/** Number of sub-accounts, and their quota (directory 2). */
export function UsageCard() {
  const { data, error, mutate } = useRamQuota()
  const quota = data?.data
  useReportedFailure(quota === undefined ? error : undefined, mutate)
  return (
    <StatTiles isLoading={quota === undefined && error === undefined}>
      <StatTile label="子账号" {...(quota === undefined ? { value: '—', share: 0 } : toTile(quota))} />
    </StatTiles>
  )
}

function toTile({ count, max }: { readonly count: number; readonly max: number }) {
  const level = quotaLevel({ used: count, total: max })
  const left = max - count
  const note =
    left > 0 ? (
      `还可添加 ${countText(left)} 个`
    ) : (
      <>
        {left < 0 ? `超出 ${countText(-left)} 个，已有的可继续使用` : '已用完'}{' '}
        <Link to={paths.createTicket}>提交工单</Link>
      </>
    )
  return {
    value: `${countText(count)} / ${countText(max)}`,
    share: count === 0 ? 0 : count / Math.max(1, max),
    note,
    ...(level !== 'ok' && { tone: level }),
  }
}
