import type { FieldValues } from 'react-hook-form'
import { MASK } from '#contract/network/limits.ts'
import type { FieldProps } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'

/* Select of the mask of a segment: /16 to /24 for addresses of members, /16 to /30 for interlinks. */

const masksOf = ({ min, max }: { readonly min: number; readonly max: number }) =>
  Array.from({ length: max - min + 1 }, (_, n) => ({ value: min + n, label: `/${min + n}` }))
const OPTIONS = { gateway: masksOf(MASK.gateway), interlink: masksOf(MASK.interlink) }

interface MaskFieldProps<V extends FieldValues, T> extends Omit<FieldProps<V, T>, 'label'> {
  readonly range: keyof typeof OPTIONS
}

export function MaskField<V extends FieldValues, T>({ range, ...props }: MaskFieldProps<V, T>) {
  return <SelectField {...props} label="掩码" options={OPTIONS[range]} />
}
