import type { Build } from '#contract/download/index.ts'
import { fileSizeText } from '#lib/format/format-unit.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import styles from './build-facts.module.css'

/* Parts that show a client build: its facts, its download link, or the note that none is published. */

/** Version, release time, size, checksum and notes of a client build. */
export function BuildFacts({ build: { version, release_time, bytes, sha256, notes } }: { readonly build: Build }) {
  return (
    <>
      <dl className={styles.facts}>
        <dt>版本</dt>
        <dd>{version}</dd>
        <dt>发布时间</dt>
        <dd>
          <TimeText at={release_time} />
        </dd>
        <dt>大小</dt>
        <dd>{fileSizeText(bytes)}</dd>
        <dt>SHA-256</dt>
        <dd>
          <CopyText text={sha256} label="复制SHA-256" />
        </dd>
      </dl>
      {notes !== '' && (
        <details className={styles.notes}>
          <summary>更新说明</summary>
          <p>{notes}</p>
        </details>
      )}
    </>
  )
}

/** Download link. Through `download` the browser reports a refusal as a failed download, and does not save it. */
export function BuildLink({ build: { src, name }, label }: { readonly build: Build; readonly label: string }) {
  return (
    <a className={styles.link} href={src} download={name} aria-label={label}>
      下载
    </a>
  )
}

export function Unpublished() {
  return <p className="nl-muted">暂未发布</p>
}
