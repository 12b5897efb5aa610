import { DONE } from '#contract/kernel/result.ts'
import { captchaText } from '#contract/kernel/fields.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { toast } from '#lib/toast/toast.ts'
import { type Captcha, useCaptcha } from '#ui/form/use-captcha.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { sendRegisterCode } from './api.ts'
import { type RegisterInput, type RegisterValues, toOtpTarget, targetProblem } from './form-rules.ts'

interface RegisterCode {
  readonly captcha: Captcha
  /** A code went to the phone or e-mail of the present tab. */
  readonly isSent: boolean
  readonly reset: () => void
  /** Resolves to false where nothing was sent, which unlocks the button at once. */
  readonly send: () => Promise<boolean>
}

/** Registration code. It requires a captcha against message bombing. */
export function useRegisterCode(form: ContractForm<RegisterInput, RegisterValues>): RegisterCode {
  const { getValues, setError, setValue } = form
  const captcha = useCaptcha('register', form, 'img_code')

  const send = async () => {
    const values = getValues()
    const { type, img_code } = values
    const target = { ...values, area_code: values.area_code ?? DIAL_CODE_DEFAULT }
    const problems = [
      [type, targetProblem(target)],
      ['img_code', captchaText.safeParse(img_code).error?.issues[0]?.message ?? null],
    ] as const
    const found = problems.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
    for (const [at, { field, message }] of found.entries()) setError(field, { message }, { shouldFocus: at === 0 })
    if (found.length > 0) return false

    const input = { send_type: type, send_value: toOtpTarget(target), img_code }
    try {
      const { msg } = await captcha.withProof((proof) => sendRegisterCode({ ...input, ...proof }))
      toast.done(msg || DONE.sent)
      setValue('uniqid', captcha.uniqid)
      form.clearErrors('code')
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.field !== undefined) {
        markHandled(error)
        setError(error.field === 'img_code' ? 'img_code' : type, { message: error.msg }, { shouldFocus: true })
      }
      return false
    } finally {
      captcha.renew()
    }
  }
  return { captcha, isSent: form.watch('uniqid') !== '', reset: () => setValue('uniqid', ''), send }
}
