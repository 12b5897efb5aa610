import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import type { AuthSourceType } from '#contract/auth-source/index.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { VENDOR } from './vendor-text.ts'
import type { SourceSetup } from './api.ts'
import styles from './auth-source.module.css'

interface VendorPlaceProps {
  readonly type: AuthSourceType
  readonly place: SourceSetup['config']['default'][AuthSourceType]
  /** The customer's own callback domain, in place of ours; '' for none. */
  readonly ownDomain: string
}

/** Values that the administrator enters in the vendor's console, and where. */
export function VendorPlace({ type, place, ownDomain }: VendorPlaceProps) {
  const { name, whiteIp, authDomain, redirectUri } = VENDOR[type]
  const own = ownDomain.length <= AUTH_SOURCE.domainMax ? ownDomain.trim() : ''
  const host = own || place.auth_domain
  const uri = own === '' ? place.redirect_uri : `https://${own}${new URL(place.redirect_uri).pathname}`
  return (
    <dl className={styles.place} aria-label={`在${name}管理后台填写`}>
      <div>
        <dt>可信IP</dt>
        <dd>
          {place.white_ip === '' ? place.notice : <CopyText text={place.white_ip} />}
          <small>{whiteIp}</small>
        </dd>
      </div>
      {authDomain !== '' && (
        <div>
          <dt>授权域名</dt>
          <dd>
            <CopyText text={host} />
            <small>{authDomain}</small>
          </dd>
        </div>
      )}
      {redirectUri !== '' && (
        <div>
          <dt>重定向URL</dt>
          <dd>
            <CopyText text={uri} />
            <small>{redirectUri}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}
