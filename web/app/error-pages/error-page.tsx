import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect } from 'react'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { navigation } from '#lib/navigation.ts'
import { useOnline } from '#lib/live/use-online.ts'
import { renewSession } from '#lib/session/session.ts'
import { ApiError, OFFLINE } from '#lib/call/transport.ts'
import { isReloading } from '#app/chunk-reload.ts'
import './error-pages.css'

/** Error page of a failed navigation: no answer about the session, or a chunk that did not load. The former tries again by itself. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const isOnline = useOnline()
  useEffect(() => {
    const retry = () => navigation.reload()
    if (!isOnline) {
      addEventListener('online', retry)
      return () => removeEventListener('online', retry)
    }
    if (!(error instanceof ApiError)) return
    const timer = setInterval(() => void renewSession().then((is) => is === 'unreachable' || retry()), STATUS_POLL_MS)
    return () => clearInterval(timer)
  }, [isOnline, error])
  if (isReloading()) return <div className="nl-error-page" aria-busy="true" />
  return (
    <div className="nl-error-page" role="alert">
      <h1>{isOnline ? '页面加载失败' : OFFLINE}</h1>
      <p>{isOnline ? reasonOf(error) : '页面尚未加载，恢复后自动重试'}</p>
      <Button theme="solid" onClick={() => navigation.reload()}>
        重试
      </Button>
    </div>
  )
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? error.msg : '可能是网络不稳定，或控制台刚刚更新。重试会载入最新版本。'
