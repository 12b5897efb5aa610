import { useRef, useState } from 'react'
import { Beside } from '#ui/layout/beside.tsx'
import { ChannelNotice } from '#ui/state/channel-notice.tsx'
import { useAddressTime } from '#lib/use-address-time.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useGrants } from '#lib/session/session.ts'
import { NetworkDialogs } from './network-dialogs.tsx'
import type { NetworkInfo } from '../projection.ts'
import { networkRights } from '../rights.ts'
import { toStateFilter } from './state-filter.ts'
import type { TopologyHandle } from '../topology/topology.tsx'
import { useMemberActions } from '../members/use-member-actions.ts'
import type { LiveNetwork } from './use-network-live.ts'
import { useNetworkView } from './use-network-view.ts'
import { useRollout } from './use-rollout.ts'
import { useSelection } from './use-selection.ts'
import { VIEW_SORTS } from '../network-order.ts'
import { useFilteredMembers } from './use-filtered-members.ts'
import { useViewColumns } from './use-view-columns.ts'
import { CiphersNotice } from './ciphers-notice.tsx'
import { JobNotice, type StartedJob } from '../members/job-notice.tsx'
import { NetworkHead } from './network-head.tsx'
import { NetworkNotices } from './network-notices.tsx'
import { NetworkToolbar } from './network-toolbar.tsx'
import { NetworkViews } from './network-views.tsx'
import { RolloutNotice } from './rollout-notice.tsx'
import { SelectionPanel } from './selection-panel.tsx'

const EventsDrawer = lazyDialog(() => import('../history/events-drawer.tsx').then((m) => ({ default: m.EventsDrawer })))

interface NetworkDetailProps {
  readonly info: NetworkInfo
  readonly live: LiveNetwork
  readonly onDeleting: (isDeleting: boolean) => void
}

export function NetworkDetail(props: NetworkDetailProps) {
  const { info, live } = props
  const rollout = useRollout(live.projection.members)
  return (
    <NetworkDialogs info={info} prepare={rollout.prepare}>
      <DetailBody {...props} rollout={rollout} />
    </NetworkDialogs>
  )
}

type DetailBodyProps = NetworkDetailProps & { readonly rollout: ReturnType<typeof useRollout> }

/** Inside the provider of dialogs: rows and panels open them. */
function DetailBody({ info, live, onDeleting, rollout }: DetailBodyProps) {
  const { projection, channel } = live
  const { members } = projection
  const isStale = channel === 'down'
  const rights = networkRights(useGrants(), info)
  const [view, setView] = useNetworkView(members)
  const list = useListState({ state: '' }, VIEW_SORTS)
  const filter = toStateFilter(list.filters.state)
  const shown = useFilteredMembers(projection, { search: list.search, filter, isWithdrawn: info.withdrawn === 1 })
  const [picked, select] = useSelection()
  const columns = useViewColumns({ shown, isStale, onSelect: select })
  const [job, setJob] = useState<StartedJob | null>(null)
  const drawing = useRef<TopologyHandle>(null)
  const [at, closeEvents] = useAddressTime()
  const toRowActions = useMemberActions({ info, projection, rights, prepare: rollout.prepare, onJob: setJob })
  return (
    <>
      <NetworkHead
        {...{ info, members, isStale, rights, onDeleting }}
        health={shown.health}
        prepare={rollout.prepare}
      />
      <NetworkNotices network={info} />
      <ChannelNotice isDown={channel !== 'live'} isPolled={channel === 'polling'} />
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
          {...{ info, projection, shown, view, list, filter, columns, isStale, picked, toRowActions }}
          drawing={drawing}
          onSelect={select}
        />
        <SelectionPanel {...{ info, picked, shown, isStale, toRowActions }} onSelect={select} />
      </Beside>
      {at !== null && <EventsDrawer networkNumber={info.network_number} at={at} onClose={closeEvents} />}
    </>
  )
}
