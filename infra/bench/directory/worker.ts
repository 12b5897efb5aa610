import worker, { DirectoryHub as ProductDirectoryHub } from '#worker/index.ts'

/* The product's Worker for `npm run bench directory`, with directory hubs whose hourly run the bench can start. */

export { AccountHub, HashPool, NetworkHub, RouterHub, StatusHub } from '#worker/index.ts'

/** The product's hub with an RPC that starts its hourly run. */
export class DirectoryHub extends ProductDirectoryHub {
  private ended = (): void => {}

  override async alarm(): Promise<void> {
    await super.alarm()
    this.ended()
  }

  /** Makes the run due, as the alarm finds it an hour later; resolves when it has ended. */
  async runNow(): Promise<void> {
    const { kv } = this.ctx.storage
    kv.put('state', { ...kv.get<object>('state'), dueAt: Date.now() - 1 })
    const run = new Promise<void>((resolve) => (this.ended = resolve))
    await this.ctx.storage.setAlarm(Date.now())
    return run
  }
}

export default {
  ...worker,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== '/__bench/run') return worker.fetch(request, env, ctx)
    const hub = await env.DB?.prepare('SELECT hub FROM ldap_hubs').first<string>('hub')
    if (!hub) throw new Error('no account has a directory')
    await (env.DIRECTORY_HUB.getByName(hub) as unknown as { runNow(): Promise<void> }).runNow()
    return new Response()
  },
}
