import { useMemo } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { FieldProps } from '#ui/form/field.tsx'
import { RemoteSelectField } from '#ui/form/inputs/remote-select-field.tsx'
import { useSnapshotOptions } from './api.ts'

/* Field that selects the member or network of a diagnostic snapshot; its value is a text of `toValue`. */

const toOption = (target: SnapshotTarget, name: string) => ({ value: toValue(target), label: toLabel(target, name) })

function useOptions(search: string) {
  const { networks, routers } = useSnapshotOptions(search)
  return [
    ...networks.map((row) => toOption({ kind: 'network', network_number: row.network_number }, row.network_name)),
    ...routers.map((row) => toOption({ kind: 'router', router_name: row.router_name }, memberLabel(row))),
  ]
}

interface SnapshotFieldProps<V extends FieldValues, T> extends Omit<FieldProps<V, T>, 'label' | 'help'> {
  /** Target that the page has preset, as `toValue` writes it; '' for none. */
  readonly preset: string
}

export function SnapshotField<V extends FieldValues, T>({ preset, ...props }: SnapshotFieldProps<V, T>) {
  const target = useMemo(() => toTarget(preset), [preset])
  const name = target ? nameOf(target) : ''
  return (
    <RemoteSelectField
      {...props}
      label="诊断快照"
      help="随工单附上它此刻的状态、最近的上下线、配置版本和链路，不含地址、密钥与密码"
      placeholder="不附带，可按名称搜索成员或组网"
      useOptions={useOptions}
      preset={target ? toOption(target, name) : null}
      firstSearch={name}
    />
  )
}

const NOUN = { router: '成员', network: '组网' } as const

/** Serial number, login name or network number; lists can search by it. */
const nameOf = (target: SnapshotTarget): string =>
  target.kind === 'router' ? target.router_name : target.network_number

/** Target of a snapshot, as the value of a select: `router NL-1`, `network N1`; '' for none. */
export const toValue = (target: SnapshotTarget): string => `${target.kind} ${nameOf(target)}`
const toLabel = ({ kind }: SnapshotTarget, name: string): string => `${NOUN[kind]}：${name}`

export function toTarget(value: string): SnapshotTarget | null {
  const [kind, ...rest] = value.split(' ')
  const name = rest.join(' ')
  if (kind === 'router') return { kind, router_name: name }
  return kind === 'network' ? { kind, network_number: name } : null
}

/** The member or network that an address names (`paths.ticketAbout`). */
export function targetOf(query: URLSearchParams): SnapshotTarget | null {
  const [router_name, network_number] = [query.get('router_name'), query.get('network_number')]
  if (router_name) return { kind: 'router', router_name }
  return network_number ? { kind: 'network', network_number } : null
}
