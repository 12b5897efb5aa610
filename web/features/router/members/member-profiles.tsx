import Button from '@douyinfe/semi-ui/lib/es/button'
import { PROFILE_STATE_NAME, type ProfileState } from '#contract/client/profiles.ts'
import { dateText } from '#lib/format/format-time.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type StatusStyle, StatusWord } from '#ui/state/state-icon.tsx'
import { type ProfileRow, useMemberProfiles, useRevokeProfile } from './api.ts'
import styles from './member-profiles.module.css'

/* Profiles (接入配置) of a software member: what its person made on the page of the client, and their revocation. */

const STYLE: Readonly<Record<ProfileState, StatusStyle>> = {
  valid: { shape: 'disc', tone: 'ok' },
  ending: { shape: 'half', tone: 'warn' },
  expired: { shape: 'ring', tone: 'idle' },
  revoked: { shape: 'dash', tone: 'idle' },
}

const isOpen = ({ state }: ProfileRow): boolean => state === 'valid' || state === 'ending'

interface MemberProfilesProps {
  readonly routerName: string
  /** Reason why the role may not revoke one; null if it may. */
  readonly blocked: string | null
  readonly canRevoke: boolean
}

export function MemberProfiles({ routerName, canRevoke, blocked }: MemberProfilesProps) {
  const query = useMemberProfiles(routerName)
  const { trigger } = useRevokeProfile()
  const rows = query.data?.data
  if (rows === undefined) return <Loading query={query} lines={2} />
  if (rows.length === 0) return <p className="nl-muted">暂无接入配置。复制接入说明发给使用者，由其自行下载。</p>
  const revoke = (row: ProfileRow) =>
    confirm({
      title: `吊销接入配置“${row.device_name}”？`,
      body: `用它拨入组网“${row.network_name}”的连接会立即断开，且不能再拨入。使用者可以重新下载。`,
      verb: '吊销',
      danger: true,
      run: () => trigger({ router_name: routerName, profile_id: row.profile_id }),
    })
  return (
    <ul className={`nl-lined ${styles.rows}`}>
      {rows.map((row) => (
        <li key={row.profile_id}>
          <div className={styles.head}>
            <strong className="nl-clip" title={row.device_name}>
              {row.device_name}
            </strong>
            <StatusWord {...STYLE[row.state]} word={PROFILE_STATE_NAME[row.state]} />
            {canRevoke && isOpen(row) && (
              <Button
                size="small"
                type="danger"
                disabled={blocked !== null}
                title={blocked ?? ''}
                aria-label={`吊销 ${row.device_name}`}
                onClick={() => void revoke(row)}
              >
                吊销
              </Button>
            )}
          </div>
          <span className="nl-muted">
            {row.network_name} · {dateText(row.expire_time)} 到期 · 最近拨入{' '}
            <TimeText at={row.last_dial_time} never="从未" />
          </span>
        </li>
      ))}
    </ul>
  )
}
