import { useEffect, useState } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import { phoneText } from '#contract/kernel/input/phone.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { useDialCodes, useSendCode } from './use-member-credentials.ts'
import { Notice } from '#ui/state/notice.tsx'

/* Form fields of the phone of a software member, and the code that confirms the phone of another member. */

interface PhoneFieldsProps<V extends FieldValues, T> {
  /** Control of a form with area_code, phone and code. */
  readonly control: Control<V, unknown, T>
  readonly required?: boolean
  /** Full number to which the code goes: +86 13800000000. */
  readonly number: string
  readonly isBinding: boolean
}

export function PhoneFields<V extends FieldValues, T>(props: PhoneFieldsProps<V, T>) {
  const { control, required = false, number, isBinding } = props
  const sendCode = useSendCode()
  return (
    <>
      <PhoneField
        control={control}
        name={'phone' as never}
        label="手机号码"
        required={required}
        dialCodes={useDialCodes()}
      />
      {isBinding && (
        <>
          <Notice tone="warn" role="alert">
            {ROUTER_ERRORS.PHONE_MUST_VERIFY.msg}
          </Notice>
          <OtpField
            control={control}
            name={'code' as never}
            label="短信验证码"
            required
            send={() => sendCode.trigger({ send_type: 'phone', verify_type: 'app_change_phone', send_value: number })}
          />
        </>
      )}
    </>
  )
}

export const ADDING = 1
const BINDING = 2

/**
 * If another member has the phone (401), the form enters the binding state: a code sent to the phone confirms it, until a
 * different number is typed (network 4).
 */
export function usePhoneBinding(
  { area_code, phone }: { area_code: string; phone: string },
  setType: (type: typeof ADDING | typeof BINDING) => void,
) {
  const number = `+${area_code} ${phoneText(area_code, phone)}`
  const [oldNumber, setOldNumber] = useState<string | null>(null)
  const isBinding = number === oldNumber
  useEffect(() => setType(isBinding ? BINDING : ADDING), [isBinding, setType])
  return { number, isBinding, start: () => setOldNumber(number) }
}
