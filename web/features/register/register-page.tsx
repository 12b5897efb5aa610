import { useState, useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { REGISTER_REDIRECT_MS } from '#contract/account/limits.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { RegisterForm } from './register-form.tsx'
import { publicPaths } from '#lib/public-paths.ts'
import { WizardDone } from '#ui/layout/wizard.tsx'

export function RegisterPage() {
  const [isDone, setDone] = useState(false)
  if (isDone) return <RegisterDone />
  return (
    <AuthCard
      title="注册"
      isTitleHidden
      isLong
      links={
        <span>
          已有账号？<Link to={publicPaths.login}>去登录</Link>
        </span>
      }
    >
      <RegisterForm onDone={() => setDone(true)} />
    </AuthCard>
  )
}

function RegisterDone() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate(publicPaths.login), REGISTER_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <WizardDone title="注册成功">
      <p>
        {REGISTER_REDIRECT_MS / 1_000} 秒后前往登录，或<Link to={publicPaths.login}>立即登录</Link>
      </p>
    </WizardDone>
  )
}
