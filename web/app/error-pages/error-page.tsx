import Button from '@douyinfe/semi-ui/lib/es/button'
import { navigation } from '../../lib/navigation.ts'
import { ApiError } from '../../lib/transport.ts'
import { isReloading } from '../chunk-reload.ts'
import './error-pages.css'

/** Error page of a failed navigation: network error, or a chunk that did not load. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  if (isReloading()) return <div className="nl-error-page" aria-busy="true" />
  return (
    <div className="nl-error-page" role="alert">
      <h1>页面加载失败</h1>
      <p>{error instanceof ApiError ? error.msg : '可能是网络不稳定，或控制台刚刚更新。重试会载入最新版本。'}</p>
      <Button theme="solid" type="primary" onClick={() => navigation.reload()}>
        重试
      </Button>
    </div>
  )
}
