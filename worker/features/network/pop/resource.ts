import { POP_MODE_NAME } from '#contract/network/limits.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { replaceCarriers, selectNodes } from '#features/network-fr/sql/nodes.ts'
import type { Results } from '#db/batch.ts'
import { freeSubnetIndexes } from '#domain/network/addresses/addresses.ts'
import type { PopNode } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS, checkRevision } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { type SettingChange, saveSettings, type LoadedNetwork } from '../settings.ts'
import { areasOfFr, selectFr, selectFrAreas, selectUsableFr } from '../sql/networks.ts'
import { guardSubnetIndexes, selectPoolSegments, selectUsedIndexes } from '../sql/addresses.ts'
import type { networkApi } from '#contract/network/index.ts'
import type { MemberSettings } from '#contract/network/settings.ts'
import { isOver, pickNodes } from '#domain/network-fr/resource.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

/* Endpoints that choose a network's POP resource (POP资源) and the areas of its members. */

type Input = Parsed<(typeof networkApi)['fr']>

/** Nodes of another resource replace the present ones. Areas of members are reset. */
export const chooseFr = (ctx: Ctx, input: Input): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, found) => {
      const { mode, network_fr_id: frId, revision } = input
      const { network, stored } = loaded
      const { ip_pool: pool } = stored.values
      if (pool.pop === null || pool.pop_software === null) refuse('FR_POOL_MISSING')
      const fr = found.frs[0] ?? refuse('FR_NOT_USABLE')
      if (revision !== undefined && revision !== network.revision) refuse('NETWORK_CHANGED')
      return {
        columns: { mode, frId },
        ...(network.frId !== frId && changeNodes(ctx, loaded, frId, found)),
        audit: {
          action: 'fr',
          message: `组网“${network.name}”使用POP资源“${fr.name}”，${POP_MODE_NAME[mode]}`,
          before: { network_fr: found.old[0]?.name ?? '', mode: network.mode },
          after: { network_fr: fr.name, mode },
        },
      }
    },
    () => selectFrPlan(ctx, input),
  )

function selectFrPlan(ctx: Ctx, { network_number: number, network_fr_id: frId }: Input) {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  return {
    old: selectFr(db, scope, number),
    frs: selectUsableFr(db, scope, frId, now),
    frAreas: selectFrAreas(db, scope, frId),
    candidates: selectNodes(db, areasOfFr(frId)),
    used: selectUsedIndexes(db, scope.accountId),
    pool: selectPoolSegments(db, scope.accountId),
  }
}

type Plan = Results<ReturnType<typeof selectFrPlan>>

function changeNodes(
  ctx: Ctx,
  { network, members }: LoadedNetwork,
  frId: number,
  { candidates, frAreas, used, pool }: Plan,
): Pick<SettingChange, 'members' | 'popNodes' | 'statements'> {
  const { nodes, unserved } = pickNodes(candidates)
  if (unserved) refuse('POP_NODE_MISSING', { pop: unserved.pop })
  const indexes = freeSubnetIndexes(nodes.length, {
    usedIndexes: used.map(([index]) => index),
    reported: pool.map(([segment]) => segment),
  })
  if (indexes.length < nodes.length) refuse('SEGMENTS_USED_UP')
  const popNodes = nodes.flatMap(({ popId, routerId, name, hub }, i): (PopNode & { hub: HubName })[] => {
    const area = frAreas.find((one) => one.popId === popId)
    if (!area || routerId === null || name === null || hub === null) return []
    const rows = { routerId, routerName: name, hub, areaId: area.id, bandwidth: area.bandwidth }
    return [{ ...rows, segmentIndex: indexes[i] ?? 0, portIndex: 0, endpoint: null }] // ports are counted by the insert
  })
  return {
    popNodes,
    members: { ov: members.map(({ routerId }) => ({ routerId, value: DEFAULT_MEMBER_SETTINGS.ov })) },
    statements: {
      ...replaceCarriers(
        ctx,
        { accountId: network.accountId, networkId: network.id },
        frId,
        nodes.map(({ routerId, popId }, i) => [routerId ?? 0, popId, indexes[i] ?? 0]),
      ),
      indexes: guardSubnetIndexes(ctx.db, network.accountId),
    },
  }
}

type OvInput = Parsed<(typeof networkApi)['memberOv']>
type Row = NonNullable<OvInput['members']>[number]

/** Saves areas of one member or several in one batch, all or none. */
export const editMemberOv = (ctx: Ctx, input: OvInput): Promise<void> =>
  saveSettings(ctx, input.network_number, (loaded) => {
    const isLapsed = loaded.areas.some((area) => isOver(area, ctx.now))
    const rows = toRows(input)
    const found = rows.map((row) => ({ ...loaded.requireMember(row.router_name), row }))
    const twice = found.find(({ routerId }, i) => found.findIndex((other) => other.routerId === routerId) < i)
    if (twice) refuse('MEMBER_TWICE', { name: labelOf(twice) }, 'members')
    const values = found.map(({ routerId, routerName, row }) => {
      const { values: old, revisions } = loaded.storedOf(routerId)
      throwIf(checkRevision(row.revision, revisions.ov))
      const value = toAreas(loaded, row)
      if (isLapsed && !isKeptOrOff(old.ov, value)) refuse('FR_EXPIRED')
      return { routerId, routerName, old: old.ov, value }
    })
    const named = (of: (value: (typeof values)[number]) => MemberSettings['ov']) =>
      Object.fromEntries(values.map((value) => [value.routerName, toNames(loaded, of(value))]))
    return {
      isAllowedSuspended: values.every(({ value }) => value.main === null && value.backup === null),
      members: { ov: values.map(({ routerId, value }) => ({ routerId, value })) },
      audit: {
        action: 'member_ov',
        message: `调整组网“${loaded.network.name}”中${found.length}个成员的POP区域`,
        before: named(({ old }) => old),
        after: named(({ value }) => value),
      },
    }
  })

/** After the end of the resource, areas may only stay or be turned off. */
const isKeptOrOff = (old: MemberSettings['ov'], { main, backup }: MemberSettings['ov']): boolean =>
  [null, old.main].includes(main) && [null, old.backup].includes(backup)

function toRows({ members, router_name, ...row }: OvInput): readonly Row[] {
  if (members !== undefined) return members
  return [{ ...row, router_name: router_name ?? refuse('INPUT_INVALID', { reason: '请选择成员' }, 'router_name') }]
}

/** 0 means none; another number must be an area of the network's resource. */
function toAreas({ areas }: LoadedNetwork, row: Row): MemberSettings['ov'] {
  const area = (id: number, field: string) => {
    if (id !== 0 && !areas.some((known) => known.id === id)) refuse('AREA_UNKNOWN', {}, field)
    return id === 0 ? null : id
  }
  return {
    main: area(row.ov_id_main, 'ov_id_main'),
    backup: area(row.ov_id_backup, 'ov_id_backup'),
    priority: row.priority,
  }
}

const toNames = ({ areas }: LoadedNetwork, { main, backup, priority }: MemberSettings['ov']) => {
  const nameOf = (id: number | null) => areas.find((area) => area.id === id)?.name ?? ''
  return { main: nameOf(main), backup: nameOf(backup), priority }
}
