import { Component, type ReactNode } from 'react'
import type { Trouble } from '../api/page-store.ts'
import { Button } from '../host/primitives.tsx'
import type { Key } from '../locales/index.ts'
import { usePage, usePageState } from './page-context.ts'

const texts: Readonly<Record<Trouble['kind'], Key>> = {
  offline: 'troubleOffline',
  absent: 'troubleAbsent',
  unauthorized: 'troubleUnauthorized',
  forbidden: 'troubleForbidden',
  refused: 'troubleFailed',
  failed: 'troubleFailed',
}

/** Says why the page cannot show what is true, and offers to look again; it also looks by itself. */
export function TroubleBanner({ trouble }: { readonly trouble: Trouble }) {
  const { t, store } = usePage()
  return (
    <div className="mcp-trouble" role="alert" data-kind={trouble.kind}>
      <p>{t(texts[trouble.kind], { message: trouble.message })}</p>
      <Button onClick={() => void store.refresh()}>{t('retry')}</Button>
    </div>
  )
}

/** Asks for a reload when the host half is not of this bundle's version: the tab was open during an update. */
export function UpdateBanner() {
  const { t } = usePage()
  const version = usePageState((state) => state.hostVersion)
  if (version === undefined || version === BUNDLE_VERSION) return null
  return (
    <div className="mcp-trouble" role="alert" data-kind="outdated">
      <p>{t('outdated')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </div>
  )
}

interface BoundaryProps {
  readonly title: string
  readonly retry: string
  readonly children: ReactNode
}

/** Keeps an error of this page from taking the harness's settings with it. */
export class PageBoundary extends Component<BoundaryProps, { readonly error: string | undefined }> {
  override state: { readonly error: string | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: string } {
    return { error: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <div className="mcp-trouble" role="alert" data-kind="crashed">
        <p>
          {this.props.title} {this.state.error}
        </p>
        <button type="button" className="mcp-plain-button" onClick={() => this.setState({ error: undefined })}>
          {this.props.retry}
        </button>
      </div>
    )
  }
}
