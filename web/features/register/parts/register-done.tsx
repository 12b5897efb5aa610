import { useEffect } from 'react'
import { REGISTER_REDIRECT_MS } from '../../../../worker/contract/limits.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { WizardDone } from '../../../ui/wizard.tsx'

export function RegisterDone({ onLeave }: { readonly onLeave: () => void }) {
  const latest = useLatest(onLeave)
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), REGISTER_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [latest])
  return (
    <WizardDone title="注册成功">
      <p>
        {REGISTER_REDIRECT_MS / 1_000} 秒后前往登录，或<a href="/login">立即登录</a>
      </p>
    </WizardDone>
  )
}
