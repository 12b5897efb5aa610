import { hardwareClaim } from '#contract/router/routers.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { SimpleFormDialog } from '#ui/dialog/simple-form-dialog.tsx'
import { useAddRouter } from '../api.ts'
import { DeviceFields, wholeCode } from './device-fields.tsx'
import { NetworkField } from './network-field.tsx'
import { NETWORK } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

const schema = hardwareClaim.extend({ code: wholeCode })

interface ClaimDialogProps {
  readonly addsIntoNetwork: boolean
  readonly onClose: () => void
}

/** Claims a router by its serial number and activation code. */
export function ClaimDialog({ addsIntoNetwork, onClose }: ClaimDialogProps) {
  const add = useAddRouter()
  return (
    <SimpleFormDialog
      title="添加硬件成员"
      submitText="添加"
      schema={schema}
      values={{ router_type: ROUTER_TYPE.hardware, username: '', code: '', note: '', network_number: '' }}
      draft={{ key: 'claim', fields: ['username', 'note', 'network_number'] }}
      command={(values) => add.trigger(values)}
      onClose={onClose}
      fields={({ control }) => (
        <>
          <DeviceFields control={control} />
          {addsIntoNetwork && <NetworkField control={control} name="network_number" />}
          <TextField control={control} name="note" label="备注" maxLength={NETWORK.noteMax} />
        </>
      )}
    />
  )
}
