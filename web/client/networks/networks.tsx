import { useCallback, useEffect } from 'react'
import { type Network, type ProfileRow, listProfiles, readProfile } from '../api.ts'
import { isSignedOut } from '../requests.ts'
import { useRead } from '../use-task.ts'
import { NewProfile } from './new-profile.tsx'
import { ProfileItem } from './profile-item.tsx'

/* Networks of the signed-in member: their reach, profiles, and a new profile for each. */

interface NetworksProps {
  readonly onSignedOut: () => void
}

export function Networks({ onSignedOut }: NetworksProps) {
  const { data, failure, reload } = useRead(
    useCallback(async () => {
      const [member, profiles] = await Promise.all([readProfile(), listProfiles()])
      return { member, profiles }
    }, []),
  )
  const isOut = isSignedOut(failure)
  useEffect(() => {
    if (isOut) onSignedOut()
  }, [isOut, onSignedOut])
  if (failure !== null && !isOut)
    return (
      <section className="card">
        <p role="alert">{failure.message}</p>
        <button type="button" className="main" onClick={reload}>
          重试
        </button>
      </section>
    )
  if (data === null) return <p role="status">正在加载…</p>
  const { member, profiles } = data
  return (
    <>
      <h1>我的组网</h1>
      <p className="hint">账号 {member.router_name}</p>
      {member.networks.length === 0 && <p className="card">尚未加入任何组网，请联系管理员。</p>}
      {member.networks.map((network) => (
        <NetworkCard
          key={network.network_number}
          network={network}
          profiles={profiles.filter(({ network_number }) => network_number === network.network_number)}
          onChange={reload}
        />
      ))}
      <Guide />
    </>
  )
}

interface NetworkCardProps {
  readonly network: Network
  readonly profiles: readonly ProfileRow[]
  readonly onChange: () => void
}

const NO_ADDRESS = '该组网的中心点尚无可拨入的地址，请联系管理员。'
const SM_ONLY = '该组网使用国密算法，请使用 Linux 客户端。'

function NetworkCard({ network, profiles, onChange }: NetworkCardProps) {
  const { network_name: name, msg, dial } = network
  const servers = dial?.servers ?? []
  const known = servers.filter(({ remotes }) => remotes.length > 0)
  const moving = known.filter(({ fixed }) => fixed === 0)
  const reach = [...new Set(servers.flatMap(({ routes }) => routes))]
  const blocked = dial === null ? msg : dial.ciphers === 'sm' ? SM_ONLY : known.length === 0 ? NO_ADDRESS : ''
  return (
    <section className="card" aria-label={name}>
      <h2>{name}</h2>
      {msg !== '' && msg !== blocked && <p className="warning">{msg}</p>}
      {reach.length > 0 && (
        <details>
          <summary>可访问 {reach.length} 个网段</summary>
          <ul className="reach">
            {reach.map((segment) => (
              <li key={segment}>{segment}</li>
            ))}
          </ul>
        </details>
      )}
      {moving.map(({ router_name }) => (
        <p key={router_name} className="warning">
          中心点“{router_name}”没有固定公网地址，地址变化后需要重新下载。
        </p>
      ))}
      {profiles.length > 0 && (
        <ul className="profiles" aria-label={`${name} 的接入配置`}>
          {profiles.map((profile) => (
            <ProfileItem key={profile.profile_id} profile={profile} onChange={onChange} />
          ))}
        </ul>
      )}
      {blocked === '' ? <NewProfile network={network} onChange={onChange} /> : <p className="warning">{blocked}</p>}
    </section>
  )
}

function Guide() {
  return (
    <section className="card">
      <h2>如何使用</h2>
      <ol>
        <li>填写设备名称，下载接入配置。每台设备使用自己的配置，同一账号同时只能有一台设备在线。</li>
        <li>在 Windows、macOS、安卓、iOS 上安装 OpenVPN Connect（发布者 OpenVPN Inc.）。</li>
        <li>用该应用打开下载的文件，然后连接。</li>
      </ol>
      <p className="hint">配置有效期 30 天。设备丢失时请立即吊销，连接会马上断开。</p>
    </section>
  )
}
