/** The part of a Cordis context that plugins of every supported host can rely on (observed on DSH 0.1.0-rc.8). */
export interface PluginContext {
  readonly logger: HostLogger
  /** `undefined` when the service is not mounted; never throws. */
  get(service: string): unknown
  /** Runs `mount` while all services are there, with a context of its own that unwinds when one leaves. */
  inject(services: readonly string[], mount: (context: PluginContext) => void): unknown
  /** Runs `start` now and what it returned when the context unwinds. */
  effect(start: () => () => void | Promise<void>, label?: string): unknown
}

export interface HostLogger {
  info(message: string): void
  warn(message: string | Error): void
}

/** Resolves when the host has finished starting; at once on a host that does not tell. */
export async function hostSettled(context: Pick<PluginContext, 'get'>): Promise<void> {
  const loader = context.get('loader')
  if (typeof loader !== 'object' || loader === null) return
  const settle = (loader as { await?: unknown }).await
  if (typeof settle === 'function') await settle.call(loader)
}
