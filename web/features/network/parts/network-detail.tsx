import Input from '@douyinfe/semi-ui/lib/es/input'
import { lazy, Suspense, useRef, useState } from 'react'
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
import type { Picked, TopologyHandle } from '../topology/topology.tsx'
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
  const rights = networkRights(useGrants(), info)
  const [view, setView] = useNetworkView(members)
  const list = useListState({ state: '' })
  const rollout = useRollout(members)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [search, setSearch] = useState('')
  const finder = useRef<TopologyHandle>(null)
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
      <NetworkHead {...{ info, members, links, isStale, rights, onDeleting }} />
      <NetworkNotices network={info} />
      <ChannelNotice isDown={channel !== 'live'} isPolled={channel === 'polling'} />
      {rollout.baseline !== null && (
        <RolloutNotice baseline={rollout.baseline} members={members} onClose={rollout.close} />
      )}
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
          <Input
            className={styles.search ?? ''}
            aria-label="在拓扑图中查找成员"
            placeholder="查找成员，回车定位"
            showClear
            value={search}
            onChange={setSearch}
            onEnterPress={(event) => finder.current?.step(event.shiftKey ? -1 : 1)}
          />
          <Suspense fallback={<Skeleton lines={12} />}>
            <Topology
              ref={finder}
              networkName={info.network_name}
              popName={info.fr_name}
              projection={projection}
              isStale={isStale}
              search={search}
              dimmed={null}
              selected={picked?.kind === 'member' ? picked.name : null}
              onSelect={setPicked}
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
