import { useCallback } from 'react'
import { RESULT } from '#contract/kernel/result.ts'
import { phoneForm } from '#contract/router/software.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useBindPhone } from './use-member-credentials.ts'
import { PhoneFields, ADDING, usePhoneBinding } from './phone-fields.tsx'

/* Dialog that binds a phone to a software member; an unchanged phone is not sent. */

interface PhoneDialogProps {
  readonly info: { readonly router_name: string; readonly area_code: string; readonly phone: string }
  readonly onClose: () => void
}

export function PhoneDialog({ info, onClose }: PhoneDialogProps) {
  const { router_name, area_code, phone } = info
  const form = useContractForm(
    phoneForm,
    { router_name, area_code, phone, type: ADDING, code: '' },
    {
      draft: { key: `phone ${router_name}`, fields: ['area_code', 'phone'] },
    },
  )
  const bind = useBindPhone()
  const { control, setValue } = form
  const setType = useCallback((type: number) => setValue('type', type), [setValue])
  const typed = { area_code: form.watch('area_code') ?? '', phone: form.watch('phone') ?? '' }
  const { number, isBinding, start } = usePhoneBinding(typed, setType)

  const save = async (values: Parameters<typeof bind.trigger>[0]) => {
    if (values.area_code === area_code && values.phone === phone) return
    try {
      return await bind.trigger(values)
    } catch (error) {
      if (toErrorView(error).code !== RESULT.stepNeeded) {
        setValue('code', '')
        throw error
      }
      start()
      return false
    }
  }
  return (
    <FormDialog title="绑定手机" form={form} command={save} onClose={onClose}>
      <p className="nl-help">{router_name} 可凭手机号码和验证码登录客户端。</p>
      <PhoneFields required {...{ control, number, isBinding }} />
    </FormDialog>
  )
}
