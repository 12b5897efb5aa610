import { useEffect, useState } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { siteApi } from '#contract/site/index.ts'
import { signOut } from './api.ts'
import { Networks } from './networks/networks.tsx'
import { isSignedOut, renewSession } from './requests.ts'
import { SignIn } from './sign-in/sign-in.tsx'

/* Page of software members: sign-in, their networks and profiles. */

type Stage = 'starting' | 'out' | 'in' | 'away'

type Brand = Output<typeof siteApi.config>

/** Brand of the host, which the Worker writes into the page; null without one. */
function readBrand(): Pick<Brand, 'name' | 'logo' | 'logo_dark'> | null {
  const text = document.getElementById('brand')?.textContent
  return text ? (JSON.parse(text) as Brand) : null
}

/** Logo or name of the brand, and that of the page. */
function Title() {
  const brand = readBrand()
  return (
    <strong>
      {brand !== null && brand.logo !== '' ? (
        <picture>
          <source srcSet={brand.logo_dark} media="(prefers-color-scheme: dark)" />
          <img src={brand.logo} alt={brand.name ?? ''} />
        </picture>
      ) : (
        brand?.name
      )}
      <span>组网接入</span>
    </strong>
  )
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
        <Title />
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
