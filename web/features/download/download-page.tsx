import { useState } from 'react'
import { PLATFORMS } from '#contract/download/index.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ErrorState } from '#ui/state/states.tsx'
import { useVersions } from './api.ts'
import { LinuxCard, PlatformCard } from './platform-card.tsx'
import { hasLinux, ownPlatform } from './platform-text.ts'
import styles from './platform-card.module.css'

const LinuxDialog = lazyDialog(() => import('./linux-dialog.tsx').then((m) => ({ default: m.LinuxDialog })))

/** Builds of the client application by platform (directory 2). */
export function DownloadPage() {
  const { data, error, mutate } = useVersions()
  const [isLinux, setLinux] = useState(false)
  const own = ownPlatform(navigator.userAgent, navigator.maxTouchPoints)
  const versions = data?.data
  return (
    <>
      <PageHeader title="客户端下载" facts="选择设备的平台，安装后用软件成员的账号登录即可接入组网" />
      {versions === undefined && error !== undefined ? (
        <ErrorState error={error} onRetry={() => void mutate()} />
      ) : (
        <ul className={styles.cards} aria-busy={versions === undefined}>
          {PLATFORMS.map((platform) => (
            <li key={platform}>
              {platform === 'linux' ? (
                <LinuxCard
                  isPublished={versions && hasLinux(versions)}
                  isOwn={own === 'linux'}
                  onOpen={() => setLinux(true)}
                />
              ) : (
                <PlatformCard platform={platform} build={versions?.[platform]} isOwn={own === platform} />
              )}
            </li>
          ))}
        </ul>
      )}
      {isLinux && versions !== undefined && <LinuxDialog linux={versions.linux} onClose={() => setLinux(false)} />}
    </>
  )
}
