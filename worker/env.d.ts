import type { LimitedCall } from '#contract/kernel/limits.ts'
import type { AccountHub } from '#durable/account-hub/account-hub.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import type { HashPool } from '#durable/hash-pool/hash-pool.ts'
import type { NetworkHub } from '#durable/network-hub/network-hub.ts'
import type { RouterHub } from '#durable/router-hub/router-hub.ts'
import type { StatusHub } from '#durable/status-hub/status-hub.ts'

/**
 * Bindings and secrets of wrangler.toml, .dev.vars and `wrangler secret put` (infra/docs/deploy.md). The limits of the
 * platform, as LIMIT_LOGIN, are bound where it is deployed.
 */
interface Bindings extends Partial<Record<`LIMIT_${Uppercase<LimitedCall>}`, RateLimit>> {
  /** D1, unless LIBSQL_URL names a libSQL server. */
  DB?: D1Database
  LIBSQL_URL?: string
  LIBSQL_TOKEN?: string
  /** Copy of that database near its readers, with the same token, and the seconds after which it has a write for sure. */
  LIBSQL_REPLICA_URL?: string
  LIBSQL_REPLICA_LAG_S?: string
  ROUTER_HUB: DurableObjectNamespace<RouterHub>
  NETWORK_HUB: DurableObjectNamespace<NetworkHub>
  ACCOUNT_HUB: DurableObjectNamespace<AccountHub>
  DIRECTORY_HUB: DurableObjectNamespace<DirectoryHub>
  HASH_POOL: DurableObjectNamespace<HashPool>
  /** Counters of the operator's status, which shows none where it is not bound. */
  STATUS_HUB?: DurableObjectNamespace<StatusHub>
  /** Number of objects in the pool that hashes passwords; the default is 1. */
  HASH_POOL_SIZE?: string
  /** Seconds over which devices come back after a restart, 4 to 60; the default is 45. */
  RESTART_SPREAD_S?: string
  /** Further https origins by which devices reach the service, comma separated. Their welcomes name them. */
  DEVICE_ENTRIES?: string
  /** Addresses and ranges of relays before the service, comma separated: a device's address is not known behind them. */
  DEVICE_RELAYS?: string
  FILES: R2Bucket
  ASSETS: Fetcher
  /** Place of hubs of new accounts and of those named `default`: a location hint, or a jurisdiction that never changes. */
  HUB_PLACE?: string
  /** The version that runs, named in each log line. Local runs have none. */
  CF_VERSION_METADATA?: WorkerVersionMetadata
  /** Only `local` opens the outbox and the kit page. */
  ENVIRONMENT: 'local' | 'staging' | 'production'
  /** Set in a local run whose port other machines can reach (HOST): the run then answers to any host name. */
  OPEN_TO_OTHERS?: string
  /** In a local run, seconds within which a device confirms a document; the default is that of `CONFIG_PUSH`. */
  CONFIRM_S?: string
  /** Set in a local run of the bench, where one person writes for thousands: only the budget of the session counts. */
  BENCH_WRITES?: string
  /** `kid:secret`, comma separated; the first signs, all verify. */
  JWT_KEYS: string
  /** The same for return tickets of devices. */
  TICKET_KEYS: string
  /** Key of HMACs at rest: captchas, codes, refresh tokens, activation codes. */
  HMAC_SECRET: string
  /** `kid:hex` of 32 bytes, comma separated; the first seals secrets at rest, all open them. */
  SEAL_KEYS: string
  /** Address in place of a provider's own API: a relay with a fixed IP, or a fake in a local run. */
  DINGTALK_BASE_URL?: string
  FEISHU_BASE_URL?: string
  LARK_BASE_URL?: string
  WECOM_BASE_URL?: string
  WECOM_APP_BASE_URL?: string
  WECOM_LOGIN_BASE_URL?: string
  WECOM_OAUTH_BASE_URL?: string
  FEISHU_APP_BASE_URL?: string
  FEISHU_LOGIN_BASE_URL?: string
  DINGTALK_APP_BASE_URL?: string
  DINGTALK_MEMBERS_BASE_URL?: string
  DINGTALK_LOGIN_BASE_URL?: string
  /** Relay with fixed addresses for calls to WeCom, Feishu and DingTalk, and these addresses in words. */
  EGRESS_PROXY_BASE?: string
  /** Key of the HMAC that each call through the relay carries. */
  EGRESS_PROXY_KEY?: string
  EGRESS_ADDRESS?: string
  /** DNS over HTTPS, JSON API. It resolves host names that customers typed, before they are called. */
  DNS_BASE_URL?: string
  ALIYUN_SMS_BASE_URL?: string
  DIRECTMAIL_BASE_URL?: string
  TENCENT_SMS_BASE_URL?: string
  /** Provider of mail. `outbox` is a table of a local run: the default there, and refused elsewhere. */
  MAIL_PROVIDER?: string
  SMS_PROVIDER?: string
  /** JSON by host name: the address mails are sent from; signature and templates of SMS (worker/outside/senders.ts). */
  MAIL_SENDERS?: string
  SMS_SENDERS?: string
  SMTP_HOST?: string
  SMTP_PORT?: string
  /** `tls` or `starttls`; the default follows the port, 465 or 587. `none` works in a local run only. */
  SMTP_SECURITY?: string
  SMTP_USERNAME?: string
  SMTP_PASSWORD?: string
  /** Access key of DirectMail and of Alibaba Cloud SMS. */
  ALIYUN_ACCESS_KEY_ID?: string
  ALIYUN_ACCESS_KEY_SECRET?: string
  TENCENT_SECRET_ID?: string
  TENCENT_SECRET_KEY?: string
  TENCENT_SMS_APP_ID?: string
  TENCENT_SMS_REGION?: string
  /** Local run only: address of its console for links in mails, and the stand-in for customers' URLs. */
  LOCAL_ORIGIN?: string
  LOCAL_INTERNET_URL?: string
  /** Local run only: stand-ins of directories in public mode, `host:port=host:port`, comma separated. */
  LOCAL_DIRECTORIES?: string
  /** `work`: no captcha has a picture, each takes a proof of work. The default is `picture`. */
  CAPTCHA_MODE?: string
  /** Host name that alone answers /ops; without it each does. */
  OPS_HOST?: string
  /** Bearer token of /ops/v1 with every scope; its holder is called `operator`. */
  OPERATOR_TOKEN: string
  /** Named tokens: `name:scope:SHA-256 in hex`, comma separated (worker/security/operator-tokens.ts). */
  OPERATOR_TOKENS?: string
}

declare global {
  interface Env extends Bindings {}
  namespace Cloudflare {
    interface Env extends Bindings {}
  }
}
