import { type FieldValues, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import type { Input } from '#contract/kernel/endpoint.ts'
import { type ContractForm, withoutNulls } from '#ui/form/use-contract-form.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { useImpact } from '../api.ts'
import { impactDetails, impactText } from './impact-text.ts'
import type { networkApi } from '#contract/network/index.ts'
import { useDebounced } from '#ui/hooks/use-delays.ts'

const SETTLED_MS = 400

/** A call of IMPACT_CALLS with its input. */
export type ImpactRequest = Input<typeof networkApi.impact>

interface FormImpactProps<V extends FieldValues, T> {
  readonly form: ContractForm<V, T>
  readonly schema: z.ZodType<T, V>
  /** Call that would save these values. */
  readonly toRequest: (values: T) => ImpactRequest
}

/** Impact of a save in the foot of a dialog. Nothing while the values are not valid, or as they were. */
export function FormImpact<V extends FieldValues, T>({ form, schema, toRequest }: FormImpactProps<V, T>) {
  const values = useWatch({ control: form.control })
  const parsed = schema.safeParse(withoutNulls(values))
  return <ImpactList request={form.formState.isDirty && parsed.success ? toRequest(parsed.data) : null} />
}

/** Says nothing where it cannot be computed: the save itself gives the reason. */
export function ImpactList({ request }: { readonly request: ImpactRequest | null }) {
  const asked = useDebounced(request === null ? null : JSON.stringify(request), SETTLED_MS)
  const { data } = useImpact(asked === null ? null : (JSON.parse(asked) as ImpactRequest))
  if (data === undefined) return null
  const details = impactDetails(data.data)
  return (
    <span role="status" className="nl-help">
      {details.length === 0 ? (
        impactText(data.data)
      ) : (
        <Tooltip
          content={details.map((line) => (
            <div key={line}>{line}</div>
          ))}
          focusable
        >
          {impactText(data.data)}
        </Tooltip>
      )}
    </span>
  )
}
