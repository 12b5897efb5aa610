import { useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { useGrants } from '#lib/session/session.ts'
import { useAddressTime } from '#lib/use-address-time.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Beside } from '#ui/dialog/side-panel.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Gone, NoPermission } from '#ui/state/page-states.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useNetworkOptions } from '../api.ts'
import { useWatchedIds } from '../link-rates.ts'
import { useMemberActions } from '../members/use-member-actions.ts'
import { VIEW_SORTS } from '../network-order.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { networkRights } from '../rights.ts'
import { ciphersSwitch } from '../settings/ciphers-switch.ts'
import type { TopologyHandle } from '../topology/topology.tsx'
import { NetworkDialogs } from './network-dialogs.tsx'
import { NetworkHead } from './network-head.tsx'
import { NetworkNotices } from './network-notices.tsx'
import { NetworkToolbar, NetworkViews } from './network-views.tsx'
import { JobNotice, RolloutNotice, type StartedJob, useRollout } from './progress-notices.tsx'
import { SelectionPanel, useSelection } from './selection-panel.tsx'
import { toStateFilter } from './state-filter.ts'
import { useFilteredMembers } from './use-filtered-members.ts'
import { type LiveNetwork, useNetworkLive } from './use-network-live.ts'
import { useNetworkView } from './use-network-view.ts'
import { useViewColumns } from './use-view-columns.tsx'

/* Page of one network, with the live states of its members and links (network 2). */

const EventsDrawer = lazyDialog(() => import('../history/events-drawer.tsx').then((m) => m.EventsDrawer))

export function NetworkDetailPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  const name = query.get('network_name') ?? ''
  if (networkNumber !== '') return <LoadedDetail key={networkNumber} networkNumber={networkNumber} />
  return name === '' ? <Navigate to={paths.networks()} replace /> : <NamedDetail name={name} />
}

/** The only network of a name (network 2), or the list filtered by the name, which several may have, or none. */
function NamedDetail({ name }: { readonly name: string }) {
  const query = useNetworkOptions()
  const options = query.data?.data
  if (options === undefined)
    return (
      <Panel>
        <Loading query={query} lines={8} />
      </Panel>
    )
  const [found, ...others] = options.filter(({ network_name }) => network_name === name)
  const isOnly = found !== undefined && others.length === 0
  return <Navigate to={isOnly ? paths.network(found.network_number) : paths.networks({ search: name })} replace />
}

function LoadedDetail({ networkNumber }: { readonly networkNumber: string }) {
  const live = useNetworkLive(networkNumber)
  const [isDeleting, setDeleting] = useState(false)
  const linkedName = useLinkedName()
  useObjectTitle(live.info?.network_name ?? linkedName)
  if (live.gone !== null && !isDeleting) return <Gone message={live.gone} to={paths.networks()} />
  const isForbidden = live.error?.code === RESULT.forbidden
  if (live.info !== undefined && !isForbidden)
    return <NetworkDetail info={live.info} live={live} onDeleting={setDeleting} />
  return (
    <>
      <PageHeader title={linkedName ?? '组网详情'} trail={[{ label: '组网列表', to: paths.networks() }]} />
      <Panel>
        {isForbidden ? <NoPermission /> : <Loading query={{ error: live.error, mutate: live.reload }} lines={8} />}
      </Panel>
    </>
  )
}

interface NetworkDetailProps {
  readonly info: NetworkInfo
  readonly live: LiveNetwork
  readonly onDeleting: (isDeleting: boolean) => void
}

function NetworkDetail(props: NetworkDetailProps) {
  const { info, live } = props
  const rollout = useRollout(live.projection.members)
  return (
    <NetworkDialogs info={info} prepare={rollout.prepare}>
      <DetailBody {...props} rollout={rollout} />
    </NetworkDialogs>
  )
}

type DetailBodyProps = NetworkDetailProps & { readonly rollout: ReturnType<typeof useRollout> }

function DetailBody({ info, live, onDeleting, rollout }: DetailBodyProps) {
  const { projection, channel } = live
  const { members } = projection
  const isStale = channel === 'down'
  const rights = networkRights(useGrants(), info)
  const [view, setView] = useNetworkView(members)
  const list = useListState({ state: '' }, VIEW_SORTS)
  const filter = toStateFilter(list.filters.state)
  const shown = useFilteredMembers(projection, { search: list.search, filter, network: info })
  const [picked, select] = useSelection()
  const columns = useViewColumns({ shown, isStale, onSelect: select })
  const [job, setJob] = useState<StartedJob | null>(null)
  const drawing = useRef<TopologyHandle>(null)
  const [at, closeEvents] = useAddressTime()
  const { rates, watch } = live
  const watched = useWatchedIds(projection, picked, view === 'graph')
  useEffect(() => watch(watched), [watch, watched])
  const toRowActions = useMemberActions({ info, projection, rights, prepare: rollout.prepare, onJob: setJob })
  return (
    <>
      <NetworkHead
        {...{ info, members, isStale, rights, onDeleting }}
        health={shown.health}
        prepare={rollout.prepare}
      />
      <NetworkNotices network={info} />
      <ChannelNotice isDown={channel !== 'live'} isPolled={channel === 'polling'} onRetry={live.retry} />
      <CiphersNotice info={info} members={members} />
      {rollout.start !== null && (
        <RolloutNotice key={rollout.changes} start={rollout.start} members={members} onClose={rollout.close} />
      )}
      {job !== null && <JobNotice key={job.id} network={info.network_number} job={job} onClose={() => setJob(null)} />}
      <NetworkToolbar
        {...{ list, filter, view, columns }}
        chips={shown.chips}
        total={members.length}
        onView={setView}
        onStep={(by) => drawing.current?.step(by)}
      />
      <Beside>
        <NetworkViews
          {...{ info, projection, rates, shown, view, list, filter, columns, isStale, picked, toRowActions }}
          drawing={drawing}
          onSelect={select}
          onShow={live.show}
        />
        {view !== 'routes' && (
          <SelectionPanel {...{ info, picked, rates, shown, isStale, toRowActions }} onSelect={select} />
        )}
      </Beside>
      {at !== null && <EventsDrawer networkNumber={info.network_number} at={at} onClose={closeEvents} />}
    </>
  )
}

const NAMED = 5

/** Notice of a switch of ciphers (切换中: switching), until all devices have confirmed it. It names those offline. */
function CiphersNotice({ info, members }: { info: NetworkInfo; members: readonly Member[] }) {
  const progress = ciphersSwitch(info, members)
  if (progress === null) return null
  const { total, pending, offline } = progress
  return (
    <Notice role="status">
      加密算法正在切换为{CIPHERS_NAME[info.ncp_ciphers]}（切换中）：已确认 {total - pending.length}/{total} 台
      {offline.length > 0 && `；离线，上线后切换：${namesText(offline)}`}
    </Notice>
  )
}

const namesText = (members: readonly Member[]): string =>
  `${members.slice(0, NAMED).map(memberLabel).join('、')}${members.length > NAMED ? ` 等 ${members.length} 台` : ''}`
