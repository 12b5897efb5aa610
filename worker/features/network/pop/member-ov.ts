import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { MemberSettings } from '#contract/network/settings.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { isOver } from '#domain/network-fr/term.ts'
import type { Ctx } from '#http/context.ts'
import type { LoadedNetwork } from '../load-settings.ts'
import { saveSettings } from '../save-setting.ts'
import type { networkApi } from '#contract/network/index.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

type Input = Parsed<(typeof networkApi)['memberOv']>
type Row = NonNullable<Input['members']>[number]

/** Areas of one member or of many, in one batch: all of them or none. */
export const editMemberOv = (ctx: Ctx, input: Input): Promise<void> =>
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

/** While the resource is over, areas stay as they are or are turned off. */
const isKeptOrOff = (old: MemberSettings['ov'], { main, backup }: MemberSettings['ov']): boolean =>
  [null, old.main].includes(main) && [null, old.backup].includes(backup)

function toRows({ members, router_name, ...row }: Input): readonly Row[] {
  if (members !== undefined) return members
  return [{ ...row, router_name: router_name ?? refuse('INPUT_INVALID', { reason: '请选择成员' }, 'router_name') }]
}

/** 0 is none; every other number is an area of the resource that the network uses. */
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
