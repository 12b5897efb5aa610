import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Beside } from '#ui/layout/beside.tsx'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { useAddressTime } from '#lib/use-address-time.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useGrants } from '#lib/session/session.ts'
import { Notice } from '#ui/state/notice.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { NetworkDialogs } from './network-dialogs.tsx'
import type { NetworkInfo, Member, Link } from '../projection.ts'
import { networkRights } from '../rights.ts'
import { toStateFilter } from './state-filter.ts'
import type { TopologyHandle, Picked } from '../topology/topology.tsx'
import { useMemberActions } from '../members/use-member-actions.ts'
import type { LiveNetwork } from './use-network-live.ts'
import { useNetworkView } from './use-network-view.ts'
import { useRollout } from './use-rollout.ts'
import { VIEW_SORTS } from '../network-order.ts'
import { useFilteredMembers } from './use-filtered-members.ts'
import { useViewColumns } from './use-view-columns.ts'
import { JobNotice, type StartedJob } from '../members/job-notice.tsx'
import { MemberPanel } from '../members/member-panel.tsx'
import { ciphersSwitch } from '../settings/ciphers-switch.ts'
import { LinkPanel } from './link-panel.tsx'
import { NetworkHead } from './network-head.tsx'
import { NetworkNotices } from './network-notices.tsx'
import { NetworkToolbar } from './network-toolbar.tsx'
import { NetworkViews } from './network-views.tsx'
import { RolloutNotice } from './rollout-notice.tsx'

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

/** The member or link that is selected, in the address as `member` or `link`; several links at once stay out of it. */
function useSelection(): readonly [Picked | null, (picked: Picked | null) => void] {
  const [query, setQuery] = useSearchParams()
  const [several, setSeveral] = useState<Picked | null>(null)
  const [member, link] = [query.get('member'), query.get('link')]
  const select = (picked: Picked | null) => {
    const ids = picked?.kind === 'links' ? picked.ids : []
    setSeveral(ids.length > 1 ? picked : null)
    const to = new URLSearchParams(query)
    to.delete('member')
    to.delete('link')
    if (picked?.kind === 'member') to.set('member', picked.name)
    if (ids.length === 1) to.set('link', ids[0] ?? '')
    setQuery(to, { replace: true })
  }
  if (member !== null) return [{ kind: 'member', name: member }, select]
  if (link !== null) return [{ kind: 'links', ids: [link] }, select]
  return [several, select]
}

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

const NAMED = 5

interface CiphersNoticeProps {
  readonly info: NetworkInfo
  readonly members: readonly Member[]
}

/** 切换中 until every device that is concerned has confirmed; those that are offline by name. */
function CiphersNotice({ info, members }: CiphersNoticeProps) {
  const found = ciphersSwitch(info, members)
  if (found === null) return null
  const { total, pending, offline } = found
  return (
    <Notice role="status">
      加密算法正在切换为{CIPHERS_NAME[info.ncp_ciphers]}（切换中）：已确认 {total - pending.length}/{total} 台
      {offline.length > 0 && `；离线，上线后切换：${namesText(offline)}`}
    </Notice>
  )
}

const namesText = (members: readonly Member[]): string =>
  `${members.slice(0, NAMED).map(memberLabel).join('、')}${members.length > NAMED ? ` 等 ${members.length} 台` : ''}`

interface SelectionPanelProps {
  readonly info: NetworkInfo
  readonly picked: Picked | null
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly toRowActions: (member: Member) => readonly RowAction[]
  readonly onSelect: (picked: Picked | null) => void
}

/** Panel of what is selected, while it is in the network. */
function SelectionPanel({ info, picked, shown, isStale, toRowActions, onSelect }: SelectionPanelProps) {
  const { affected, linksByMember, sortedLinks, toMember, toName } = shown
  const onClose = () => onSelect(null)
  const onLink = ({ id }: Link) => onSelect({ kind: 'links', ids: [id] })
  if (picked === null) return null
  if (picked.kind === 'links') {
    const links = sortedLinks().filter(({ id }) => picked.ids.includes(id))
    const onMember = (name: string) => onSelect({ kind: 'member', name })
    return <LinkPanel {...{ links, toMember, toName, isStale, onLink, onMember, onClose }} />
  }
  const member = toMember(picked.name)
  if (member === undefined) return null
  return (
    <MemberPanel
      {...{ info, member, toName, isStale, onLink, onClose }}
      links={linksByMember().get(member.router_name) ?? []}
      isSingleCenter={affected.singleCenter.has(member.router_name)}
      actions={toRowActions(member)}
    />
  )
}
