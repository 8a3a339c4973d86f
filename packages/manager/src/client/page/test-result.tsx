import type { TestReply } from '../../web/api-types.ts'
import { logLine } from '../model/log-text.ts'
import { usePage } from './page-context.ts'

/** What a test of the form gave. */
export function TestResult(props: {
  readonly result: TestReply
  /** Whether a login in the browser is the way to go on when the server wants one. */
  readonly personLogsIn: boolean
}) {
  const { result, personLogsIn } = props
  const { t } = usePage()
  const verdict = (): string => {
    if (result.ok) return t('testOk', { count: result.toolCount, time: Math.round(result.durationMs) })
    return result.status === 'needs-auth' && personLogsIn ? t('testNeedsAuth') : t('testFailed')
  }
  return (
    <div className="mcp-result" data-error={!result.ok} role="status">
      <p className={result.ok ? 'mcp-good' : 'mcp-problem'}>{verdict()}</p>
      {!result.ok && <p className="mcp-reason">{result.reason}</p>}
      {result.tools.length > 0 && <p className="mcp-hint">{result.tools.join(', ')}</p>}
      {!result.ok && result.logs.length > 0 && (
        <pre className="mcp-log" tabIndex={0} aria-label={t('logs')}>
          {result.logs.map(logLine).join('\n')}
        </pre>
      )}
    </div>
  )
}
