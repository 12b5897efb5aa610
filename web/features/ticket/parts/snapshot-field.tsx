import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { memberLabel } from '../../../lib/member-label.ts'
import { FieldFrame, type FieldProps, useField } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { useSnapshotOptions } from '../api.ts'
import { toValue } from '../snapshot-target.ts'

const DEBOUNCE_MS = 200
const HELP = '随工单附上它此刻的状态、最近的上下线、配置版本和链路，不含地址、密钥与密码'

interface Option {
  readonly value: string
  readonly label: string
}

/** The member or network that a diagnostic snapshot is taken of, searched on the server; holds a text of snapshot-target.ts. */
export function SnapshotField<V extends FieldValues, T>(props: Omit<FieldProps<V, T>, 'label'>) {
  const { id, frame, field, status, aria } = useField({ ...props, label: '诊断快照', help: HELP })
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Option | null>(null)
  const { networks, routers } = useSnapshotOptions(useDebounced(search.trim(), DEBOUNCE_MS))
  const found = [
    ...networks.map(({ network_number, network_name }) => ({
      value: toValue({ kind: 'network', network_number }),
      label: `组网：${network_name}`,
    })),
    ...routers.map((row) => ({
      value: toValue({ kind: 'router', router_name: row.router_name }),
      label: `成员：${memberLabel(row)}`,
    })),
  ]
  const isListed = found.some(({ value }) => value === chosen?.value)
  const options = chosen === null || isListed ? found : [chosen, ...found]
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
        onSearch={setSearch}
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
