import type { SectionProps } from '../host/contract.ts'
import { typed } from '../locales/index.ts'

/** The page under Settings → MCP. */
export function Section({ t: translate }: SectionProps) {
  const t = typed(translate)
  return (
    <div className="mcp-page">
      <h2 className="mcp-title">{t('title')}</h2>
      <p className="mcp-intro">{t('intro')}</p>
    </div>
  )
}
