import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { SnapshotTarget } from '../../../../worker/contract/ticket-snapshot.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { FieldFrame, type FieldProps, useField } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { useSnapshotOptions } from '../api.ts'
import { nameOf, toLabel, toTarget, toValue } from '../snapshot-target.ts'

const DEBOUNCE_MS = 200
const HELP = '随工单附上它此刻的状态、最近的上下线、配置版本和链路，不含地址、密钥与密码'

interface Option {
  readonly value: string
  readonly label: string
}

const toOption = (target: SnapshotTarget, name: string): Option => ({
  value: toValue(target),
  label: toLabel(target, name),
})

/** The member or network that a diagnostic snapshot is taken of, searched on the server; holds a text of snapshot-target.ts. */
export function SnapshotField<V extends FieldValues, T>(props: Omit<FieldProps<V, T>, 'label'>) {
  const { id, frame, field, status, aria } = useField({ ...props, label: '诊断快照', help: HELP })
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Option | null>(null)
  const search = useDebounced(typed.trim(), DEBOUNCE_MS)
  const given = chosen === null ? toTarget(field.value) : null // preset by the page: listed, so that its label is known
  const { networks, routers } = useSnapshotOptions(search || (given === null ? '' : nameOf(given)))
  const found = [
    ...networks.map((row) => toOption({ kind: 'network', network_number: row.network_number }, row.network_name)),
    ...routers.map((row) => toOption({ kind: 'router', router_name: row.router_name }, memberLabel(row))),
  ]
  const shown = given === null ? chosen : toOption(given, nameOf(given))
  const isListed = found.some(({ value }) => value === shown?.value)
  const options = shown === null || isListed ? found : [shown, ...found]
  return (
    <FieldFrame {...frame} plainLabel>
      <Select
        {...aria}
        id={id}
        value={field.value === '' ? undefined : field.value}
        onChange={(value) => {
          setChosen(options.find((option) => option.value === value) ?? null)
          field.onChange(value ?? '')
        }}
        onSearch={setTyped}
        onBlur={field.onBlur}
        motion={false} // with it, onChange fires only after the closing animation
        optionList={options}
        placeholder="不附带，可按名称搜索成员或组网"
        validateStatus={status}
        filter
        remote
        showClear
        emptyContent="暂无数据"
      />
    </FieldFrame>
  )
}
