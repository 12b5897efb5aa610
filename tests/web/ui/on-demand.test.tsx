import { render, screen, waitFor, cleanup } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { isOnDemand } from '#contract/kernel/states.ts'
import { NO_MEMBERS } from '#domain/health/member.ts'
import { MembersCard } from '#pages/dashboard/cards/members-card.tsx'
import { NetworkRow } from '#pages/dashboard/cards/network-row.tsx'
import { memberColumns } from '#pages/network/members/member-columns.tsx'
import { pickerColumns } from '#pages/network/plan/picker/picker-columns.tsx'
import { nodeStyle } from '#pages/network/topology/node-style.ts'
import { hardwareColumns, softwareColumns } from '#pages/router/list/member-columns.tsx'
import { PresenceBadge } from '#ui/member/member-badges.tsx'
import { RouterHistory } from '#ui/member/router-history.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { createOverviewNetwork } from '../dashboard/overview-fixture.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { member } from '../network/member.ts'
import { option } from '../network/option.ts'
import { network, painted } from '../network/topology/shapes.ts'
import { createMember } from '../router/fixtures.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const OFFLINE = { state: 'offline', since: 1_000, last_seen: 1_000, reason: '' } as const
const ONE_OFFLINE = { ...NO_MEMBERS, offline: 1 }
const isSoftware = (type: RouterType) => type === ROUTER_TYPE.software

/** Wherever a state of one member or a number of members in it has a colour. */
const PLACES: Readonly<Record<string, (type: RouterType) => ReactNode>> = {
  'overview: members': (type) => (
    <MembersCard
      members={{
        hardware: isSoftware(type) ? NO_MEMBERS : ONE_OFFLINE,
        software: isSoftware(type) ? ONE_OFFLINE : NO_MEMBERS,
        software_max: 0,
      }}
      isStale={false}
    />
  ),
  'overview: a network': (type) => (
    <table>
      <tbody>
        <NetworkRow
          network={createOverviewNetwork(
            'N1',
            { members: ONE_OFFLINE },
            { software_offline: isSoftware(type) ? 1 : 0 },
          )}
          isStale={false}
        />
      </tbody>
    </table>
  ),
  'list of members': (type) =>
    (isSoftware(type) ? softwareColumns(false, () => {}) : hardwareColumns(false, {}))
      .find(({ key }) => key === 'presence')
      ?.cell(createMember('r', { router_type: type, presence: OFFLINE })),
  'members of a network': (type) =>
    memberColumns({
      isStale: false,
      linksByMember: () => new Map(),
      singleCenter: new Set(),
      toName: String,
      onOpen: () => {},
    })
      .find(({ key }) => key === 'state')
      ?.cell(member('r', { type, state: 'offline' })),
  'candidates of a network': (type) =>
    pickerColumns({
      roles: new Map(),
      baseRoles: new Map(),
      overlaps: { rows: new Map(), preview: () => null } as never,
      isStale: false,
      hasCenters: true,
      onRole: () => {},
    })
      .find(({ key }) => key === 'state')
      ?.cell(option('r', { routerType: type, presence: OFFLINE })),
  'panel, drawer and head of a member': (type) => <PresenceBadge presence={OFFLINE} type={type} isStale={false} />,
  'changes of a member': (type) => <RouterHistory routerName="r" type={type} label="最近状态变化" />,
  search: (type) => <StatusBadge state="offline" isOnDemand={isOnDemand(type)} />,
}

const EVENTS = {
  live: 1,
  transitions: [{ from: 'online', to: 'offline', at: 1_000, reason: '' }],
  bar: { from: 0, to: 86_400_000, start: 'online' },
}

/** Colours of what says 离线: badges by their tone, parts of a bar by what their style goes by. */
function tonesOf(container: HTMLElement): ReadonlySet<string> {
  const badges = [...container.querySelectorAll('.nl-status')].filter((one) => one.textContent.startsWith('离线'))
  const parts = [...container.querySelectorAll<HTMLElement>('.nl-member-bar > [data-state="offline"]')]
  return new Set([
    ...badges.map(({ className }) => /nl-tone-(\w+)/.exec(className)?.[1] ?? ''),
    ...parts.map(({ dataset }) => (dataset['onDemand'] === 'true' ? 'idle' : 'bad')),
  ])
}

it('离线: hardware is bad, software idle, at every place', async () => {
  const rows = Object.entries(PLACES).flatMap(([place, show]) => [
    [place, '硬件', () => show(ROUTER_TYPE.hardware), 'bad'] as const,
    [place, '软件', () => show(ROUTER_TYPE.software), 'idle'] as const,
  ])
  const offenders = await findOffenders(rows)(async (_place, _kind, show, tone) => {
    cleanup()
    fakeApi({ 'router/events': { data: EVENTS } })
    const { container } = render(<MemoryRouter>{show()}</MemoryRouter>)
    await waitFor(() => expect(tonesOf(container)).toEqual(new Set([tone])))
  })
  expect(offenders).toEqual([])
})

it('a bar of both names the software members', () => {
  const network = createOverviewNetwork(
    'N1',
    { members: { ...NO_MEMBERS, online: 3, offline: 5 } },
    { software_offline: 2 },
  )
  render(
    <MemoryRouter>
      <table>
        <tbody>
          <NetworkRow network={network} isStale={false} />
        </tbody>
      </table>
    </MemoryRouter>,
  )
  expect(screen.queryByRole('img', { name: '组网N1的成员：在线 3，离线 3，软件离线 2' })).not.toBeNull()
})

it('the drawing has no red for software members', () => {
  const drawn = painted(network(1, ['offline'], 1))
  const classOf = (id: string, kind: 'point' | 'software') =>
    nodeStyle({ id, kind, label: id, members: [id], isOpen: false }, 208, drawn).className
  expect([classOf('p0', 'point'), classOf('s0', 'software')]).toEqual(['nl-node-offline', 'nl-node-away'])
})
