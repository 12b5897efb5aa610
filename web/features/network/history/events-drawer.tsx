import { Link } from 'react-router'
import { timeText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { type NetworkVersion, useNetworkEvents, useVersions } from '../api.ts'
import { VersionList } from './version-list.tsx'

/* Drawer of the events of a network around the time of an alert: connections of members, changes of settings. */

interface EventsDrawerProps {
  readonly networkNumber: string
  readonly at: number
  readonly onClose: () => void
}

export function EventsDrawer({ networkNumber, at, onClose }: EventsDrawerProps) {
  const events = useNetworkEvents(networkNumber, at)
  const versions = useVersions(networkNumber)
  const error = events.error ?? versions.error
  const retry = () => Promise.all([events.mutate(), versions.mutate()])
  const around = events.data?.data
  const all = versions.data?.data
  return (
    <SideDrawer title={`${timeText(at)} 前后 1 小时`} widthPx={640} onClose={onClose}>
      {around === undefined || all === undefined ? (
        <Loading query={{ error, mutate: retry }} lines={6} />
      ) : (
        <>
          <h3>成员连接记录</h3>
          <TransitionList
            label="成员连接记录"
            transitions={around.transitions}
            shown={20}
            subject={(row) => (
              <Link to={paths.router(row.router_name, { at })} state={withLinkedName(memberLabel(row))}>
                {memberLabel(row)}
              </Link>
            )}
            empty="这段时间没有成员上线或离线"
          />
          <h3>配置修改</h3>
          <Changes
            versions={all.filter((version) => version.at >= around.from && version.at <= around.to)}
            current={all[0]?.version ?? null}
          />
        </>
      )}
    </SideDrawer>
  )
}

function Changes(props: { versions: readonly NetworkVersion[]; current: number | null }) {
  if (props.versions.length > 0) return <VersionList {...props} />
  return <p className="nl-muted">这段时间没有修改配置（仅保留最近 20 次修改）</p>
}
