import { Link } from 'react-router'
import { isAllowed } from '#contract/kernel/permissions.ts'
import type { Overview } from '#contract/overview/index.ts'
import { quotaLevel } from '#domain/health/quota.ts'
import { dateText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { Meter } from '#ui/chart/bars/meter.tsx'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { ExpiryText } from '#ui/layout/text/time-text.tsx'
import styles from './account-card.module.css'

/* Card of the account: seats, services and alerts. */

export function AccountCard({ overview: { seats, service_end, alerts } }: { readonly overview: Overview }) {
  const grants = useGrants()
  return (
    <Panel title="席位与服务" actions={<MoreLink to={paths.services} of="席位与服务" />}>
      {seats.used === 0 && seats.total === 0 ? (
        <p className={styles.none}>尚未开通席位</p>
      ) : (
        <Meter
          label="席位"
          used={seats.used}
          total={seats.total}
          tone={TONE[quotaLevel(seats)]}
          note={`每个组网各计一次，${leftText(seats)}`}
        />
      )}
      <dl className={styles.pairs}>
        {/* A role limited to networks gets no services. */}
        {grants.networks === null && (
          <>
            <dt>最早到期的服务</dt>
            <dd>
              {service_end === null ? (
                '暂无有效服务'
              ) : (
                <>
                  <ExpiryText at={service_end} /> <small>{dateText(service_end)}</small>
                </>
              )}
            </dd>
          </>
        )}
        {isAllowed('monitor:view', grants) && (
          <>
            <dt>告警</dt>
            <dd className={styles.verb}>
              <span>{alerts === 1 ? '已开启' : '未开启'}</span>
              <Link to={paths.monitor}>{alerts === 1 ? '查看' : '开启'}</Link>
            </dd>
          </>
        )}
      </dl>
    </Panel>
  )
}

const TONE = { ok: 'accent', warn: 'warn', bad: 'bad' } as const

const leftText = ({ used, total }: Overview['seats']): string =>
  used > total ? `已超出 ${countText(used - total)} 个，部分组网停用` : `剩余 ${countText(total - used)} 个`
