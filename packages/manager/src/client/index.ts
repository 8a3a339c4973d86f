import { createElement } from 'react'
import { createManagerApi } from './api/manager-api.ts'
import { createPageStore } from './api/page-store.ts'
import { createSend } from './api/request.ts'
import type { ClientContext, SectionProps } from './host/contract.ts'
import { en, namespace, zh } from './locales/index.ts'
import { Section } from './page/section.tsx'
import { injectStyles } from './styles/inject.ts'

/** Services of the host's browser half that must be there. */
export const inject = ['slots', 'locale']

/** Adds the MCP page to the host's settings. */
export function apply(ctx: ClientContext): void {
  ctx.effect(() => injectStyles(), 'mcp: styles')
  ctx.effect(() => ctx.locale.register(namespace, { zh, en }), 'mcp: dictionaries')
  const t = ctx.locale.bind(namespace)
  const store = createPageStore(createManagerApi(createSend()))
  ctx.effect(() => whenIdle(() => void store.refresh()), 'mcp: first read')
  const McpSection = (props: SectionProps) => createElement(Section, { ...props, store })
  ctx.slots.inject('settings.section', () =>
    ctx.slots.register(
      {
        name: 'settings.section',
        id: 'mcp',
        order: 60,
        label: () => t('tab'),
        locale: namespace,
        inject: () => ({}),
      },
      McpSection,
    ),
  )
}

/** Runs `work` once the page has started and rests, so that the section opens with its list; returns the way to call it off. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 500)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: 2000 })
  return () => cancelIdleCallback(request)
}
