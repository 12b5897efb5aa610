import { useEffect, useState } from 'react'
import { signOut } from './api.ts'
import { Networks } from './networks/networks.tsx'
import { isSignedOut, renewSession } from './requests.ts'
import { SignIn } from './sign-in/sign-in.tsx'

/* Page of software members: sign-in, their networks and profiles. */

type Stage = 'starting' | 'out' | 'in' | 'away'

/** Title of the host's brand, which the Worker writes into the page. */
function brandTitle(): string {
  const text = document.getElementById('brand')?.textContent
  return text ? ((JSON.parse(text) as { readonly name: string | null }).name ?? '') : ''
}

export function App() {
  const [stage, setStage] = useState<Stage>('starting')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    renewSession().then(
      () => setStage('in'),
      (error: unknown) => setStage(isSignedOut(error) ? 'out' : 'away'),
    )
  }, [turn])
  const retry = () => {
    setStage('starting')
    setTurn((last) => last + 1)
  }
  const leave = async () => {
    await signOut().catch(() => {}) // the session ends by itself, too
    setStage('out')
  }
  return (
    <>
      <header>
        <strong>{[brandTitle(), '组网接入'].filter(Boolean).join(' · ')}</strong>
        {stage === 'in' && (
          <button type="button" onClick={() => void leave()}>
            退出登录
          </button>
        )}
      </header>
      <main>
        {stage === 'starting' && <p role="status">正在加载…</p>}
        {stage === 'away' && (
          <section className="card">
            <p role="alert">暂时无法连接，请检查网络。</p>
            <button type="button" className="main" onClick={retry}>
              重试
            </button>
          </section>
        )}
        {stage === 'out' && <SignIn onDone={() => setStage('in')} />}
        {stage === 'in' && <Networks onSignedOut={() => setStage('out')} />}
      </main>
    </>
  )
}
