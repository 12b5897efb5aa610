import { useMemo } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { FieldProps } from '#ui/form/field.tsx'
import { RemoteSelectField } from '#ui/form/inputs/remote-select-field.tsx'
import { useSnapshotOptions } from './api.ts'
import { nameOf, toLabel, toTarget, toValue } from './snapshot-target.ts'

const toOption = (target: SnapshotTarget, name: string) => ({ value: toValue(target), label: toLabel(target, name) })

function useOptions(search: string) {
  const { networks, routers } = useSnapshotOptions(search)
  return [
    ...networks.map((row) => toOption({ kind: 'network', network_number: row.network_number }, row.network_name)),
    ...routers.map((row) => toOption({ kind: 'router', router_name: row.router_name }, memberLabel(row))),
  ]
}

interface SnapshotFieldProps<V extends FieldValues, T> extends Omit<FieldProps<V, T>, 'label' | 'help'> {
  /** Target that the page has preset, '' for none: a text of snapshot-target.ts. */
  readonly preset: string
}

/** The member or network that a diagnostic snapshot is taken of; holds a text of snapshot-target.ts. */
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
