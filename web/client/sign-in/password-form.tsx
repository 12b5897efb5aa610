import { useState } from 'react'
import { signIn } from '../api.ts'
import { Failure, Field } from '../field.tsx'
import { useTask } from '../use-task.ts'
import type { SignInProps } from './sign-in.tsx'

export function PasswordForm({ onDone }: SignInProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, failure, run } = useTask()
  const submit = () =>
    run(async () => {
      await signIn(name, password)
      onDone()
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field
        label="账号"
        value={name}
        onText={setName}
        placeholder="名称@后缀"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label="密码"
        type="password"
        value={password}
        onText={setPassword}
        autoComplete="current-password"
        required
      />
      <Failure text={failure} />
      <button className="main" disabled={isBusy}>
        {isBusy ? '正在登录…' : '登录'}
      </button>
    </form>
  )
}
