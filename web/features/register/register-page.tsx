import { useState } from 'react'
import { Link } from 'react-router'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { RegisterDone } from './register-done.tsx'
import { RegisterForm } from './register-form.tsx'
import { publicPaths } from '#lib/public-paths.ts'

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
