import { useState } from 'react'
import { hardwareClaim } from '#contract/router/routers.ts'
import { consumeClaim } from '#lib/claim-link.ts'
import { formatActivationCode } from '#ui/form/inputs/activation-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useAddRouter } from '../api.ts'
import { DeviceFields, wholeCode } from './device-fields.tsx'
import { NetworkField } from './network-field.tsx'
import { NETWORK } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Dialog that claims a router by its serial number and activation code, filled in from the link on its box. */

const schema = hardwareClaim.extend({ code: wholeCode })

export function ClaimDialog({ addsIntoNetwork, onClose }: { addsIntoNetwork: boolean; onClose: () => void }) {
  const add = useAddRouter()
  const [scanned] = useState(consumeClaim)
  const form = useContractForm(
    schema,
    {
      router_type: ROUTER_TYPE.hardware,
      username: scanned?.serial ?? '',
      code: formatActivationCode(scanned?.code ?? ''),
      note: '',
      network_number: '',
    },
    { draft: { key: 'claim', fields: ['username', 'note', 'network_number'] } },
  )
  const { control } = form
  return (
    <FormDialog
      title="添加硬件成员"
      form={form}
      submitText="添加"
      command={add.trigger}
      sendsUnchanged
      onClose={onClose}
    >
      <DeviceFields control={control} />
      {addsIntoNetwork && <NetworkField control={control} />}
      <TextField control={control} name="note" label="备注" max={NETWORK.noteMax} />
    </FormDialog>
  )
}
