import type { Control, FieldValues } from 'react-hook-form'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useNetworkOptions } from '../api.ts'

/** Form field of the network that a new member joins; only a role limited to networks has it. */
export function NetworkField<V extends FieldValues>({ control }: { control: Control<V> }) {
  return (
    <SelectField
      control={control}
      name={'network_number' as never}
      label="加入组网"
      required
      missing={ROUTER_ERRORS.NETWORK_CHOICE_REQUIRED.msg}
      options={useNetworkOptions()}
      help="当前角色仅限指定组网，新成员会作为普通点直接加入"
    />
  )
}
