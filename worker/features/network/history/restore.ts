import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { Results, Statements } from '#db/batch.ts'
import { saveNetworkSetting } from '../sql/settings.ts'
import { selectVersionsFrom } from '../sql/versions.ts'
import { deletePointLinks, insertPointLinks } from '../sql/point-links.ts'
import { type Version, valuesAt } from '#domain/network/history/history.ts'
import { checkName } from '#domain/network/name.ts'
import { type RestorePlan, isEmptyPlan, planRestore } from '#domain/network/history/restore.ts'
import { SETTING_TITLE, type ShownSetting } from '#domain/network/history/setting-words.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectAround, toAround } from '../addresses/neighbors.ts'
import { guardAround } from '../addresses/interlinks.ts'
import type { LoadedNetwork } from '../load-settings.ts'
import { selectPorts, toPortRows } from '../addresses/ports.ts'
import { claimCenterLinkPort, claimPorts } from '../sql/ports.ts'
import { checkRestoredPorts, restoreAddresses } from './restore-addresses.ts'
import { type SettingChange, saveSettings } from '../save-setting.ts'
import type { networkApi } from '#contract/network/index.ts'
import { checkCenterLink } from '#domain/network/members/pair-links.ts'
import { featuresOfDefaultRoute, checkFeatures, checkDns, gainsAdvanced } from '#domain/network/routing/routing.ts'

type Api = typeof networkApi

/** Sets what was set right after a version, by the rules that hold for each setting; members stay. */
export async function restoreVersion(ctx: Ctx, input: Parsed<Api['restore']>): Promise<Output<Api['restore']>> {
  const { network_number: number, version, revision, pack } = input
  let skipped: readonly string[] = []
  const select = () => ({
    ...selectAround(ctx, number),
    ...selectPorts(ctx),
    versions: selectVersionsFrom(ctx.db, requireSession(ctx), number, version),
  })
  await saveSettings(
    ctx,
    number,
    (loaded, more) => {
      if (revision !== undefined && revision !== loaded.network.revision) refuse('NETWORK_CHANGED')
      const versions = more.versions.map((row): Version => ({ ...row, changes: JSON.parse(row.changes) }))
      if (!versions.some((one) => one.version === version)) refuse('VERSION_NOT_FOUND')
      const plan = planRestore(valuesAt(versions, version), toPresent(loaded))
      skipped = plan.skipped
      if (isEmptyPlan(plan))
        refuse(skipped.length > 0 ? 'VERSION_LOST' : 'VERSION_SAME', { reasons: skipped.join('；') })
      checkPlan(loaded, plan)
      return {
        ...toChange(ctx, loaded, plan, more, pack === 1),
        audit: {
          action: 'restore',
          message: `组网“${loaded.network.name}”恢复到历史版本${version}`,
          after: { version, settings: titlesOf(plan), ...(skipped.length > 0 && { skipped }) },
        },
      }
    },
    select,
  )
  return { skipped: [...skipped] }
}

const titlesOf = ({ columns, network, members, pointLinks }: RestorePlan): readonly string[] => {
  const kinds = [columns, network, members].flatMap((part) => Object.keys(part))
  const settings = [...kinds, ...(pointLinks === null ? [] : ['point_links'])]
  return settings.map((setting) => SETTING_TITLE[(setting === 'mode' ? 'fr' : setting) as ShownSetting])
}

const toPresent = ({ network, members, areas, pointLinks, stored, storedOf }: LoadedNetwork) => {
  const { name, ciphers, mode, frId } = network
  const own: Readonly<Record<string, unknown>> = {
    ...stored.values,
    name,
    ciphers,
    fr: { mode, frId },
    point_links: pointLinks,
  }
  return {
    networkType: network.networkType,
    frId,
    members,
    areas,
    valueOf: (setting: ShownSetting, routerId: number | null) =>
      routerId === null ? own[setting] : storedOf(routerId).values[setting as 'quagga'],
  }
}

/** The rules of each setting by itself: flags of the account, quantities, what the network is. */
function checkPlan(
  { network, members, stored, account }: LoadedNetwork,
  { columns, network: next, members: ofMembers }: RestorePlan,
): void {
  if (columns.name !== undefined) throwIf(checkName(columns.name, { name: network.name, isPop: network.frId !== null }))
  if (next.dns) throwIf(checkDns(next.dns, stored.values.dns, account.dnsQuantity))
  if (next.prefix && gainsAdvanced(next.prefix, stored.values.prefix))
    throwIf(checkFeatures(account.features, ['quaggaAdvanced']))
  for (const { value } of ofMembers.default_route ?? [])
    throwIf(checkFeatures(account.features, featuresOfDefaultRoute(value)))
  if (ofMembers.quagga?.some(({ value }) => value.enable === 1)) throwIf(checkFeatures(account.features, ['quagga']))
  if (next.center_link)
    throwIf(checkCenterLink(network.networkType, members, stored.values.center_link, next.center_link))
}

type More = Results<ReturnType<typeof selectAround> & ReturnType<typeof selectPorts>>

function toChange(
  ctx: Ctx,
  loaded: LoadedNetwork,
  plan: RestorePlan,
  more: More,
  isPacked: boolean,
): Omit<SettingChange, 'audit'> {
  const { network } = loaded
  const around = toAround(ctx, network.number, more)
  const addresses = restoreAddresses(ctx, loaded, plan, around, isPacked)
  throwIf(checkRestoredPorts(loaded, plan, toPortRows(ctx, loaded, more)))
  return {
    columns: plan.columns as NonNullable<SettingChange['columns']>,
    network: plan.network,
    members: { ...plan.members, ...addresses.members },
    ...(plan.pointLinks && { pointLinks: plan.pointLinks }),
    ...(addresses.hosts && { hosts: addresses.hosts }),
    statements: {
      beside: guardAround(ctx, network, around),
      ...claimStatements(ctx, loaded, plan),
      ...linkStatements(ctx, loaded, plan),
    },
  }
}

/** All old claims go before the new ones, which may swap ports. */
function claimStatements(ctx: Ctx, { network, stored }: LoadedNetwork, plan: RestorePlan): Statements {
  const link: NetworkSettings['center_link'] | undefined = plan.network.center_link
  const claims = [
    ...(plan.members.fixed_port ?? []).map(({ routerId, value }) => claimPorts(ctx.db, network, routerId, value)),
    ...(link ? [claimCenterLinkPort(ctx.db, network, [stored.values.center_link.server, link.server], link)] : []),
  ]
  const named = (key: string) => claims.map((claim, i) => [`${key}_${i}`, claim[key]] as const)
  return Object.fromEntries([...named('unclaimed'), ...named('claimed')])
}

function linkStatements({ db, now }: Ctx, { network, pointLinks }: LoadedNetwork, plan: RestorePlan): Statements {
  if (plan.pointLinks === null) return {}
  const ends = pointLinks.flatMap(({ serverId, clientId }) => [serverId, clientId])
  return {
    goneLinks: deletePointLinks(db, network, [...new Set(ends)]),
    links: insertPointLinks(db, network, plan.pointLinks),
    counted: saveNetworkSetting(db, network, 'point_link', {}, now),
  }
}
