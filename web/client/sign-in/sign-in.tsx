import { useState } from 'react'
import { PasswordForm } from './password-form.tsx'
import { PhoneForm } from './phone-form.tsx'
import { SourceForm } from './source-form.tsx'

/* Sign-in of a software member: by password, by a code to its phone, or by an auth source of its account. */

export interface SignInProps {
  readonly onDone: () => void
}

const WAYS = [
  { key: 'password', label: '密码登录', Form: PasswordForm },
  { key: 'phone', label: '手机验证码', Form: PhoneForm },
  { key: 'source', label: '企业账号', Form: SourceForm },
] as const

export function SignIn({ onDone }: SignInProps) {
  const [chosen, setChosen] = useState<(typeof WAYS)[number]['key']>('password')
  const { Form } = WAYS.find(({ key }) => key === chosen) ?? WAYS[0]
  return (
    <section className="card" aria-labelledby="sign-in">
      <h1 id="sign-in">登录</h1>
      <div className="ways" role="group" aria-label="登录方式">
        {WAYS.map(({ key, label }) => (
          <button key={key} type="button" className="way" aria-pressed={key === chosen} onClick={() => setChosen(key)}>
            {label}
          </button>
        ))}
      </div>
      <Form onDone={onDone} />
    </section>
  )
}
