import { useState } from 'react'
import { RegisterDone } from '../parts/register-done.tsx'
import { RegisterForm } from '../parts/register-form.tsx'

/** `onDone` leads to the sign-in. */
export function RegisterPage({ onDone }: { readonly onDone: () => void }) {
  const [isDone, setDone] = useState(false)
  if (isDone) return <RegisterDone onLeave={onDone} />
  return (
    <section className="nl-door-card">
      <RegisterForm onDone={() => setDone(true)} />
      <nav className="nl-door-links" aria-label="其他方式">
        <span>
          已有账号？<a href="/login">去登录</a>
        </span>
      </nav>
    </section>
  )
}
