import { useEffect, useState } from 'react'
import * as z from 'zod'
import { recoveryCode, totpCode } from '#contract/account/totp-fields.ts'
import { useContractForm } from './use-contract-form.ts'

/*
 * Hook of a form for the second factor: an authenticator code or, after `toggle`, a recovery code. `toFactor` makes the
 * input.
 */

export interface TypedFactor {
  readonly code?: string
  readonly recovery_code?: string
}

const typedCode = z.object({ code: totpCode, recovery_code: z.string() })
const typedRecovery = z.object({ code: z.string(), recovery_code: recoveryCode })

export function useFactorForm() {
  const [isRecovery, setRecovery] = useState(false)
  const form = useContractForm(isRecovery ? typedRecovery : typedCode, { code: '', recovery_code: '' })
  const { setFocus, clearErrors } = form
  useEffect(() => setFocus(isRecovery ? 'recovery_code' : 'code'), [setFocus, isRecovery])
  const toggle = () => {
    clearErrors()
    setRecovery(!isRecovery)
  }
  const toFactor = ({ code, recovery_code }: z.output<typeof typedCode>): TypedFactor =>
    isRecovery ? { recovery_code } : { code }
  return { form, isRecovery, toggle, toFactor }
}
