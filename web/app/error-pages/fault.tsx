import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { pageMoves } from '../../lib/page-moves.ts'
import { reloadIfReleased } from '../../lib/release.ts'
import { ApiError } from '../../lib/transport.ts'
import './error-pages.css'

/** A page could not be shown: no answer came, or its chunk is gone after a release, which cures itself. */
export function Fault({ error }: { readonly error: unknown }) {
  const isRefusal = error instanceof ApiError
  const [isLooking, setLooking] = useState(!isRefusal)
  useEffect(() => {
    if (!isRefusal) void reloadIfReleased().then(setLooking)
  }, [isRefusal])
  if (isLooking) return <div className="nl-fault" aria-busy="true" />
  return (
    <div className="nl-fault" role="alert">
      <h1>页面加载失败</h1>
      <p>{isRefusal ? error.msg : '可能是网络不稳定，或控制台刚刚更新。重试会载入最新版本。'}</p>
      <Button theme="solid" type="primary" onClick={() => pageMoves.reload()}>
        重试
      </Button>
    </div>
  )
}
