import type { Parsed } from '#contract/kernel/endpoint.ts'
import { violation } from '#contract/kernel/result.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { auditRow, createOperator } from '#db/audit.ts'
import { endSignInsOfSources, sourcesOf } from '#features/auth-source/sql.ts'
import { batch } from '#db/batch.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'
import { requireAccount, requireHost } from './accounts.ts'
import { updateFeatures } from './sql/accounts.ts'

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>

/**
 * Changes no setting and no document: what is set without the flag may only be turned off (domain/network/routing/routing.ts). Who
 * signed in through an auth source is signed out with that flag.
 */
export async function setAccountFlags(ctx: Ctx, { account, ...given }: OpsInput<'setAccountFlags'>): Promise<void> {
  const { features: before, id } = await requireAccount(ctx, account)
  const after = { ...before, ...given }
  const isSourceOff = before.software_auth_source === 1 && after.software_auth_source === 0
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, {
      quagga: after.quagga,
      quaggaAdvanced: after.quagga_advanced,
      defaultRoute: after.default_route,
      softwareAuthSource: after.software_auth_source,
    }),
    ...(isSourceOff && endSignInsOfSources(ctx, id, sourcesOf(id), violation('AUTH_SOURCE_OFF'))),
    audit: auditRow(
      ctx,
      { module: 'ops', action: 'account/flags', target: account, message: '运营调整账号功能', before, after },
      createOperator(id),
    ),
  })
}

export async function setDnsQuantity(ctx: Ctx, { account, quantity }: OpsInput<'setDnsQuantity'>): Promise<void> {
  const { id, dnsQuantity } = await requireAccount(ctx, account)
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, { dnsQuantity: quantity }),
    audit: auditRow(
      ctx,
      {
        module: 'ops',
        action: 'account/dns_quantity',
        target: account,
        message: `运营将DNS地址数量调整为${quantity}个`,
        before: { dns_quantity: dnsQuantity },
        after: { dns_quantity: quantity },
      },
      createOperator(id),
    ),
  })
}

/** Mails, SMS and links that are sent from now on. */
export async function setAccountHost(ctx: Ctx, { account, host }: OpsInput<'setAccountHost'>): Promise<void> {
  const listed = requireHost(host)
  const { id, host: before } = await requireAccount(ctx, account)
  await batch(ctx.db, {
    account: updateFeatures(ctx.db, id, { host: listed }),
    audit: auditRow(
      ctx,
      {
        module: 'ops',
        action: 'account/host',
        target: account,
        message: `运营将账号所属域名调整为${listed}`,
        before: { host: hostOfAccount(before) },
        after: { host: listed },
      },
      createOperator(id),
    ),
  })
}
