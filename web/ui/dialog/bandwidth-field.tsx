import Button from '@douyinfe/semi-ui/lib/es/button'
import './bandwidth-field.css'
import { type Control, useController } from 'react-hook-form'
import { SAAS } from '#contract/saas/limits.ts'
import { NumberField } from '#ui/form/inputs/number-field.tsx'

interface BandwidthValues {
  readonly bandwidth: number
}

interface BandwidthFieldProps {
  readonly control: Control<BandwidthValues, unknown, BandwidthValues>
  readonly max: number
}

/** Bandwidth in Mbs: any whole number, and those that are offered (directory 5). */
export function BandwidthField({ control, max }: BandwidthFieldProps) {
  const { field } = useController({ control, name: 'bandwidth' })
  return (
    <>
      <NumberField control={control} name="bandwidth" label="带宽" suffix="Mbs" help={`1 至 ${max} Mbs`} />
      <div className="nl-bandwidth-offered" role="group" aria-label="常用带宽">
        {SAAS.bandwidthOffered.map((mbps) => (
          <Button key={mbps} size="small" disabled={mbps > max} onClick={() => field.onChange(mbps)}>
            {mbps} Mbps
          </Button>
        ))}
      </div>
    </>
  )
}
