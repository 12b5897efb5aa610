import Input from '@douyinfe/semi-ui/lib/es/input'
import { type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { dialledPhone, phoneProblem, phoneText, undividedPhone } from '#contract/kernel/input/phone.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { Select } from './select-field.tsx'

/* Input of a phone in two fields of a form: the number, and `area_code`, the dial code without its plus. */

/** Shown part of a row of `GET country/lists`. */
export interface DialCode {
  readonly dialCode: string
  readonly CNName: string
}

interface PhoneFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Undefined while loading. */
  readonly dialCodes: readonly DialCode[] | undefined
}

const HOME: DialCode = { dialCode: DIAL_CODE_DEFAULT, CNName: '中国' }

export function PhoneField<V extends FieldValues, T>(props: PhoneFieldProps<V, T>) {
  const { control, dialCodes = [HOME] } = props
  const area = useController({ control, name: 'area_code' as FieldPath<V> }).field
  const dialCode = String(area.value || DIAL_CODE_DEFAULT)
  const { frame, input, field } = useField(props, (typed) => phoneText(dialCode, typed))
  const take = (typed: string) => {
    const phone = isDialled(typed) ? dialledPhone(typed) : null
    if (phone !== null && phone.areaCode !== dialCode) area.onChange(phone.areaCode)
    field.onChange(phone?.number ?? toShown(dialCode, typed))
  }
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        {/* Semi overwrites aria-label. */}
        <span id={`${frame.id}-area`} className="nl-sr">
          国家或地区代码
        </span>
        <Select
          aria-labelledby={`${frame.id}-area`}
          value={dialCode}
          onChange={area.onChange}
          // A dial code is shared by several places; the list needs one entry for each code.
          optionList={uniqueCodes(dialCodes)}
          filter={(typed, option) => String(option.label).includes(typed.trim())}
          renderSelectedItem={(option: Record<string, unknown>) => `+${String(option['value'])}`}
          inputProps={{ 'aria-label': '搜索国家或地区' }}
          motion={false} // with it, onChange fires only after the closing animation
          dropdownStyle={{ width: 240 }}
        />
        <Input {...input} onChange={take} placeholder="手机号码" inputMode="tel" autoComplete="tel-national" />
      </div>
    </FieldFrame>
  )
}

/** True for a text with a dial code, which sets the select. */
const isDialled = (typed: string): boolean => undividedPhone(typed).startsWith('+')

/** Stored form of a complete number; an incomplete one stays as it is typed, without separators. */
function toShown(dialCode: string, typed: string): string {
  const number = phoneText(dialCode, typed)
  return phoneProblem(dialCode, number) === null ? number : undividedPhone(typed)
}

function uniqueCodes(dialCodes: readonly DialCode[]) {
  const names = new Map<string, string[]>()
  for (const { dialCode, CNName } of dialCodes) names.set(dialCode, [...(names.get(dialCode) ?? []), CNName])
  return [...names].map(([value, places]) => ({ value, label: `+${value} ${places.join('、')}` }))
}
