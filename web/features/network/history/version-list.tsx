import type { ReactNode } from 'react'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import type { NetworkVersion } from '../api.ts'
import styles from './version-list.module.css'

/* List of the saved versions of a network's settings. */

interface VersionListProps {
  /** Versions, newest first. */
  readonly versions: readonly NetworkVersion[]
  /** Version in use; null if it is not in the list. */
  readonly current: number | null
  readonly action?: (version: NetworkVersion) => ReactNode
}

export function VersionList({ versions, current, action }: VersionListProps) {
  return (
    <ol className={`nl-lined ${styles.list}`} aria-label="历史版本">
      {versions.map((version) => (
        <li key={version.version}>
          <div className={styles.head}>
            <strong>
              版本 {version.version}
              {version.version === current && '（当前）'}
            </strong>
            <span className="nl-muted">
              <TimeText at={version.at} /> {version.actor}
            </span>
            {action?.(version)}
          </div>
          <VersionChanges changes={version.changes} />
        </li>
      ))}
    </ol>
  )
}

function VersionChanges({ changes }: Pick<NetworkVersion, 'changes'>) {
  if (changes.length === 0) return <p className="nl-muted">此前的配置</p>
  return (
    <dl className={styles.changes}>
      {changes.map(({ title, old, new: next }, i) => (
        <div key={i}>
          <dt>{title}</dt>
          <dd>
            <del>{old}</del> → <ins>{next}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
