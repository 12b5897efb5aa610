import { type ReactNode, useState } from 'react'
import { CLIENT_PAGE_PATH } from '#contract/client/profiles.ts'
import { type Build, type Platform, PLATFORMS } from '#contract/download/index.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState } from '#ui/state/page-states.tsx'
import { useVersions } from './api.ts'
import { BuildFacts, BuildLink, Unpublished } from './build-facts.tsx'
import styles from './download-page.module.css'
import { hasConnect, hasLinux, isMobile, ownPlatform, PLATFORM_NAME } from './platform-text.ts'

/* Page of the client builds by platform (directory 2). */

const LinuxDialog = lazyDialog(() => import('./linux-dialog.tsx').then((m) => m.LinuxDialog))

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
                <Card
                  platform="linux"
                  isOwn={own === 'linux'}
                  isPublished={versions && hasLinux(versions)}
                  action={<PrimaryButton onClick={() => setLinux(true)}>选择版本</PrimaryButton>}
                >
                  <p>命令行或图形面板，按应用平台选择安装包</p>
                </Card>
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

const DESKTOP = 'M4 6h24v15H4zM16 21v5M11 26h10'
const MOBILE = 'M10 4h12v24H10zM15 25h2'

interface CardProps {
  readonly platform: Platform
  readonly isOwn: boolean
  /** Undefined while loading; content and action are those of a published client. */
  readonly isPublished: boolean | undefined
  readonly children: ReactNode
  readonly action: ReactNode
}

function Card({ platform, isOwn, isPublished, children, action }: CardProps) {
  const name = PLATFORM_NAME[platform]
  return (
    <section className={styles.card} aria-label={name}>
      <header className={styles.head}>
        <StrokeIcon path={isMobile(platform) ? MOBILE : DESKTOP} box={32} />
        <h2>{name}</h2>
        {isOwn && <span className={styles.own}>本机系统</span>}
      </header>
      <div className={styles.body}>
        {isPublished === undefined ? <Skeleton /> : isPublished ? children : <Unpublished />}
        {isPublished !== undefined && hasConnect(platform) && <ConnectNote name={name} />}
      </div>
      {isPublished && action}
    </section>
  )
}

/** An application that exists: nothing of it is hosted here. The page is another entry, so the link loads it. */
function ConnectNote({ name }: { readonly name: string }) {
  return (
    <p className={styles.connect}>
      现在可用 OpenVPN Connect（发布者 OpenVPN Inc.）接入：
      <a href={CLIENT_PAGE_PATH} aria-label={`登录并下载接入配置（${name}）`}>
        登录并下载接入配置
      </a>
      ，用该应用打开后连接。
    </p>
  )
}

interface PlatformCardProps {
  readonly platform: Exclude<Platform, 'linux'>
  /** Newest build; undefined while loading, null if not published. */
  readonly build: Build | null | undefined
  readonly isOwn: boolean
}

function PlatformCard({ platform, build, isOwn }: PlatformCardProps) {
  return (
    <Card
      {...{ platform, isOwn }}
      isPublished={build === undefined ? undefined : build !== null}
      action={build && <BuildLink build={build} label={`下载 ${PLATFORM_NAME[platform]} 客户端`} />}
    >
      {build && <BuildFacts build={build} />}
    </Card>
  )
}
