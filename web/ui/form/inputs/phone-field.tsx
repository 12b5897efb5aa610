import Input from '@douyinfe/semi-ui/lib/es/input'
import { type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { DIAL_CODE_DEFAULT, PHONE_MAX } from '#contract/kernel/limits.ts'
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
  const { frame, input, field } = useField(props)
  const area = useController({ control, name: 'area_code' as FieldPath<V> }).field
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        {/* Semi overwrites aria-label. */}
        <span id={`${frame.id}-area`} className="nl-sr">
          国家或地区代码
        </span>
        <Select
          aria-labelledby={`${frame.id}-area`}
          value={area.value || DIAL_CODE_DEFAULT}
          onChange={area.onChange}
          // A dial code is shared by several places; the list needs one entry for each code.
          optionList={uniqueCodes(dialCodes)}
          filter={(typed, option) => String(option.label).includes(typed.trim())}
          renderSelectedItem={(option: Record<string, unknown>) => `+${String(option['value'])}`}
          inputProps={{ 'aria-label': '搜索国家或地区' }}
          motion={false} // with it, onChange fires only after the closing animation
          dropdownStyle={{ width: 240 }}
        />
        <Input
          {...input}
          onChange={(text) => field.onChange(text.replace(/\D/g, ''))}
          placeholder="手机号码"
          inputMode="tel"
          autoComplete="tel-national"
          maxLength={PHONE_MAX}
        />
      </div>
    </FieldFrame>
  )
}

function uniqueCodes(dialCodes: readonly DialCode[]) {
  const names = new Map<string, string[]>()
  for (const { dialCode, CNName } of dialCodes) names.set(dialCode, [...(names.get(dialCode) ?? []), CNName])
  return [...names].map(([value, places]) => ({ value, label: `+${value} ${places.join('、')}` }))
}
