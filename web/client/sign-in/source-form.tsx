import { useEffect, useState } from 'react'
import { type Source, type Started, listSources, pollAuth, startAuth } from '../api.ts'
import { Failure, Field } from '../field.tsx'
import { useTask } from '../use-task.ts'
import type { SignInProps } from './sign-in.tsx'

/* Sign-in by an auth source: the vendor's page opens in a window of its own, and this page waits for its end. */

type Waiting = Started & { readonly verifier: string }

export function SourceForm({ onDone }: SignInProps) {
  const [code, setCode] = useState('')
  const [sources, setSources] = useState<readonly Source[] | null>(null)
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const { isBusy, failure, run } = useTask()
  const find = () =>
    run(async () => {
      setSources(null)
      setSources(await listSources(code))
    })
  const start = (source: Source) => run(async () => setWaiting(await startAuth(code, source)))
  if (waiting !== null) return <VendorWait waiting={waiting} onDone={onDone} onCancel={() => setWaiting(null)} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void find()
      }}
    >
      <Field
        label="企业认证ID"
        value={code}
        onText={setCode}
        placeholder="由管理员提供"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
      <Failure text={failure} />
      {sources?.length === 0 && <p className="hint">该企业没有可用的认证源，请使用其他方式登录。</p>}
      {sources !== null && sources.length > 0 && (
        <fieldset>
          <legend>选择登录方式</legend>
          {sources.map((source) => (
            <button key={source.id} type="button" disabled={isBusy} onClick={() => void start(source)}>
              {source.name}
            </button>
          ))}
        </fieldset>
      )}
      <button className="main" disabled={isBusy}>
        下一步
      </button>
    </form>
  )
}

interface VendorWaitProps {
  readonly waiting: Waiting
  readonly onDone: () => void
  readonly onCancel: () => void
}

function VendorWait({ waiting, onDone, onCancel }: VendorWaitProps) {
  const { url, confirm_code: code, request_id: id, verifier, interval } = waiting
  const { failure, run } = useTask()
  const isOver = failure !== ''
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(
      () =>
        void run(async () => {
          if (await pollAuth(id, verifier)) onDone()
        }),
      interval * 1_000,
    )
    return () => clearInterval(timer)
  }, [id, verifier, interval, isOver, onDone, run])
  return (
    <div>
      <p>
        <a className="main" href={url} target="_blank" rel="noreferrer">
          打开登录页面
        </a>
      </p>
      <p>
        登录后请核对确认码：<strong className="confirm">{code.replace(/^(\d{3})/, '$1 ')}</strong>
      </p>
      {!isOver && <p className="hint">完成后本页自动继续。</p>}
      <Failure text={failure} />
      <button type="button" onClick={onCancel}>
        返回
      </button>
    </div>
  )
}
