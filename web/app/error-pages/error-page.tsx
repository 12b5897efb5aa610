import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { navigation } from '#lib/navigation.ts'
import { useOnline } from '#lib/live/use-online.ts'
import { renewSession } from '#lib/session/session.ts'
import { ApiError, OFFLINE } from '#lib/call/transport.ts'
import { isReloading } from '#app/chunk-reload.ts'
import './error-pages.css'

/**
 * Error page of a failed navigation: no answer about the session, or a chunk that did not load. It reloads the document once
 * the server answers again; a chunk that was missing while online waits for the user.
 */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const isOnline = useOnline()
  const wasOffline = useWasOffline(isOnline)
  const isPassing = wasOffline || error instanceof ApiError
  useEffect(() => {
    return isOnline && isPassing ? reloadOnAnswer(wasOffline) : undefined
  }, [isOnline, isPassing, wasOffline])
  if (isReloading()) return <div className="nl-error-page" aria-busy="true" />
  const isBack = isOnline && wasOffline
  return (
    <div className="nl-error-page" role="alert">
      <h1>{isBack ? '网络已恢复' : isOnline ? '页面加载失败' : OFFLINE}</h1>
      <p>{isBack ? '正在重新载入页面' : isOnline ? reasonOf(error) : '页面尚未加载，恢复后自动重试'}</p>
      <Button theme="solid" onClick={() => navigation.reload()}>
        重试
      </Button>
    </div>
  )
}

/** True from the first moment without a network on: the browser keeps a chunk that failed then, and only a reload helps. */
function useWasOffline(isOnline: boolean): boolean {
  const [wasOffline, setOffline] = useState(!isOnline)
  if (!isOnline && !wasOffline) setOffline(true)
  return wasOffline || !isOnline
}

/** Asks the server every ten seconds and reloads at its first answer; `isAtOnce` asks now, too. Returns the way to stop. */
function reloadOnAnswer(isAtOnce: boolean): () => void {
  let isOver = false
  const stop = () => {
    isOver = true
    clearInterval(timer)
  }
  const ask = async () => {
    if ((await renewSession()) === 'unreachable' || isOver) return
    stop()
    navigation.reload()
  }
  const timer = setInterval(() => void ask(), STATUS_POLL_MS)
  if (isAtOnce) void ask()
  return stop
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? error.msg : '可能是网络不稳定，或控制台刚刚更新。重试会载入最新版本。'
