import { useEffect, useState } from 'react'
import { type Choice, sendCode, signInByPhone } from '../api.ts'
import { Failure, Field } from '../field.tsx'
import { useTask } from '../use-task.ts'
import type { SignInProps } from './sign-in.tsx'

const AREA_CODE = '86'
const RESEND_S = 60

/** A phone that several members have asks which of them signs in. */
export function PhoneForm({ onDone }: SignInProps) {
  const [areaCode, setAreaCode] = useState(AREA_CODE)
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [uniqid, setUniqid] = useState('')
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [wait, startWait] = useCountdown()
  const { isBusy, failure, run } = useTask()
  const send = () =>
    run(async () => {
      setUniqid(await sendCode(areaCode, phone))
      setChoices([])
      startWait(RESEND_S)
    })
  const submit = (router_name?: string) =>
    run(async () => {
      const chosen = router_name === undefined ? {} : { router_name }
      const found = await signInByPhone({ uniqid, area_code: areaCode, phone, code, ...chosen })
      if (found.length === 0) onDone()
      setChoices(found)
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="phone">
        <Field label="区号" value={areaCode} onText={setAreaCode} inputMode="numeric" autoComplete="tel-country-code" />
        <Field label="手机号码" value={phone} onText={setPhone} type="tel" autoComplete="tel-national" required />
      </div>
      <div className="code">
        <Field
          label="验证码"
          value={code}
          onText={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          required={uniqid !== ''}
        />
        <button type="button" disabled={isBusy || wait > 0 || phone === ''} onClick={() => void send()}>
          {wait > 0 ? `${wait} 秒后重发` : '发送验证码'}
        </button>
      </div>
      {uniqid !== '' && choices.length === 0 && (
        <p className="hint">若该手机号码已绑定成员，验证码将在一分钟内送达。</p>
      )}
      {choices.length > 0 && (
        <fieldset>
          <legend>该手机号码绑定了多个成员，请选择</legend>
          {choices.map(({ router_name, note, status }) => (
            <button
              key={router_name}
              type="button"
              disabled={isBusy || status === 0}
              onClick={() => void submit(router_name)}
            >
              {note === '' ? router_name : `${note}（${router_name}）`}
              {status === 0 && ' 已停用'}
            </button>
          ))}
        </fieldset>
      )}
      <Failure text={failure} />
      {choices.length === 0 && (
        <button className="main" disabled={isBusy || uniqid === ''}>
          登录
        </button>
      )}
    </form>
  )
}

function useCountdown(): readonly [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
