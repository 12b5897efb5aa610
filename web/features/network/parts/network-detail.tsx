import { lazy, Suspense, useMemo, useState } from 'react'
import { judgeNetwork } from '../../../../worker/domain/health/network.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { ChannelNotice } from '../../../ui/channel-notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useListState } from '../../../ui/use-list-state.ts'
import { NetworkDialogs } from '../dialogs/network-dialogs.tsx'
import type { NetworkInfo } from '../projection.ts'
import { networkRights } from '../rights.ts'
import { loadTopology } from '../topology/load-topology.ts'
import type { Picked } from '../topology/topology.tsx'
import { useGrants } from '../../../lib/session.ts'
import { useMemberActions } from '../use-member-actions.ts'
import type { LiveNetwork } from '../use-network-live.ts'
import { useNetworkView } from '../use-network-view.ts'
import { useRollout } from '../use-rollout.ts'
import { LinkDrawer } from './link-drawer.tsx'
import { MemberDrawer } from './member-drawer.tsx'
import { MemberTables } from './member-tables.tsx'
import { NetworkHead } from './network-head.tsx'
import styles from './network-detail.module.css'
import { NetworkNotices } from './network-notices.tsx'
import { RolloutNotice } from './rollout-notice.tsx'
import { StateChips } from './state-chips.tsx'

const Topology = lazy(() => loadTopology().then((m) => ({ default: m.Topology })))

interface NetworkDetailProps {
  readonly info: NetworkInfo
  readonly live: LiveNetwork
  readonly onDeleting: (isDeleting: boolean) => void
}

export function NetworkDetail({ info, live, onDeleting }: NetworkDetailProps) {
  const { projection, channel } = live
  const { members, links } = projection
  const isStale = channel === 'down'
  // By the rule of the lists, over what this page shows: they cannot contradict each other.
  const { health } = useMemo(() => judgeNetwork(members, links), [members, links])
  const rights = networkRights(useGrants(), info)
  const [view, setView] = useNetworkView(members)
  const list = useListState({ state: '' })
  const rollout = useRollout(members)
  const [picked, setPicked] = useState<Picked | null>(null)
  const toRowActions = useMemberActions({ info, projection, rights, prepare: rollout.prepare })

  const toName = (routerName: string) => {
    const member = members.find(({ router_name }) => router_name === routerName)
    return member === undefined ? routerName : memberLabel(member)
  }
  const close = () => setPicked(null)
  const pickedMember =
    picked?.kind === 'member' ? members.find(({ router_name }) => router_name === picked.name) : undefined
  return (
    <NetworkDialogs info={info} prepare={rollout.prepare}>
      <NetworkHead {...{ info, members, health, isStale, rights, onDeleting }} prepare={rollout.prepare} />
      <NetworkNotices network={info} />
      <ChannelNotice isDown={channel !== 'live'} isPolled={channel === 'polling'} />
      {rollout.start !== null && <RolloutNotice start={rollout.start} members={members} onClose={rollout.close} />}
      <div className={styles.tools}>
        <StateChips members={members} value={list.filters.state} onChange={(state) => list.setFilter('state', state)} />
        <Segmented
          label="展示方式"
          value={view}
          options={[
            { value: 'graph', label: '拓扑图' },
            { value: 'table', label: '列表' },
          ]}
          onChange={setView}
        />
      </div>
      {view === 'table' ? (
        <MemberTables {...{ members, links, list, isStale, toRowActions }} />
      ) : (
        <Panel>
          <Suspense fallback={<Skeleton lines={12} />}>
            <Topology
              networkName={info.network_name}
              popName={info.fr_name}
              projection={projection}
              isStale={isStale}
              onPick={setPicked}
            />
          </Suspense>
        </Panel>
      )}
      {pickedMember !== undefined && (
        <MemberDrawer
          member={pickedMember}
          actions={toRowActions(pickedMember)}
          onClose={close}
          {...{ links, toName, isStale }}
        />
      )}
      {picked?.kind === 'links' && (
        <LinkDrawer
          links={links.filter(({ id }) => picked.ids.includes(id))}
          onClose={close}
          {...{ toName, isStale }}
        />
      )}
    </NetworkDialogs>
  )
}
