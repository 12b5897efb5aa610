import type { Control, FieldValues } from 'react-hook-form'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useNetworkOptions } from '../api.ts'

/** The network that a new member joins, for a role limited to networks. */
export function NetworkField<V extends FieldValues>({ control }: { control: Control<V> }) {
  const networks = useNetworkOptions()
  const options = (networks.data?.data ?? []).map(({ network_number, network_name }) => ({
    value: network_number,
    label: network_name,
  }))
  return (
    <SelectField
      control={control}
      name={'network_number' as never}
      label="加入组网"
      required
      options={options}
      help="当前角色仅限指定组网，新成员会作为普通点直接加入"
    />
  )
}
