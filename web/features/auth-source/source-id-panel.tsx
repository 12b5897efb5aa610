import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import type { useSourceSetup } from './api.ts'
import styles from './auth-source.module.css'

/** The ID that people type into the client, and the page whose downloads carry it. */
export function SourceIdPanel({ setup }: { readonly setup: ReturnType<typeof useSourceSetup> }) {
  const { data, error, mutate } = setup
  return (
    <Panel title="认证源ID">
      {data === undefined ? (
        error === undefined ? (
          <Skeleton />
        ) : (
          <FailedPart error={error} onRetry={mutate} />
        )
      ) : (
        <>
          <p className={styles.code}>
            <CopyText text={data.data.code} label="复制认证源ID" />
            <a href={data.data.page} target="_blank" rel="noreferrer">
              带有认证源ID的客户端下载页
            </a>
          </p>
          <p className="nl-muted">成员在客户端选择第三方登录时填写认证源ID；从上面的页面下载的客户端无需填写。</p>
        </>
      )}
    </Panel>
  )
}
