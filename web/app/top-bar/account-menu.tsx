import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import { lazy, Suspense, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { signOut, useUser } from '#lib/session/session.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'
import './bar.css'
import { useHoverOpen } from './use-hover-open.ts'

/* Dropdown of the signed-in user; opens on hover, click and by keyboard (account 2). */

const PasswordDialog = lazy(() => import('#pages/ram/password-dialog.tsx').then((m) => ({ default: m.PasswordDialog })))

function confirmSignOut(): void {
  void confirm({ title: '你确定要退出登录吗？', verb: '退出登录', run: signOut })
}

const openDownload = () => void open(paths.download, '_blank', 'noopener')

export function AccountMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const { isOpen, setOpen, hover } = useHoverOpen()
  const [isChanging, setChanging] = useState(false)
  const isPhone = useMedia(PHONE) // the header of a phone has no room for its shortcuts
  const opener = useRef<HTMLButtonElement>(null)

  const close = () => {
    opener.current?.focus() // a dialog returns the focus to it
    setOpen(false)
  }
  const choose = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <>
      <Dropdown
        trigger="custom"
        visible={isOpen}
        position="bottomRight"
        motion={false}
        onClickOutSide={() => setOpen(false)}
        onEscKeyDown={close}
        render={
          <div {...hover}>
            <Dropdown.Menu className="nl-account-menu">
              <Dropdown.Item onClick={choose(() => void navigate(paths.messages))}>
                我的消息
                {user.message_count > 0 && <b className="nl-badge">{unreadText(user.message_count)}</b>}
              </Dropdown.Item>
              {isPhone && <Dropdown.Item onClick={choose(() => void navigate(paths.tickets))}>客服工单</Dropdown.Item>}
              {isPhone && <Dropdown.Item onClick={choose(openDownload)}>下载客户端</Dropdown.Item>}
              {user.ram === 1 && <Dropdown.Item onClick={choose(() => setChanging(true))}>修改密码</Dropdown.Item>}
              {user.ram === 1 && (
                <Dropdown.Item onClick={choose(() => void navigate(paths.security))}>登录安全</Dropdown.Item>
              )}
              <Dropdown.Item onClick={choose(confirmSignOut)}>退出登录</Dropdown.Item>
            </Dropdown.Menu>
          </div>
        }
      >
        <button ref={opener} type="button" className="nl-bar-button" onClick={() => setOpen(true)} {...hover}>
          <span className="nl-account-mark" aria-hidden="true">
            {[...(user.nickname || user.username)][0]}
          </span>
          <span className="nl-account-name">{user.nickname || user.username}</span>
        </button>
      </Dropdown>
      {isChanging && (
        <Suspense fallback={null}>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  )
}

const SHOWN_MAX = 99

export const unreadText = (count: number): string => (count > SHOWN_MAX ? `${SHOWN_MAX}+` : String(count))
