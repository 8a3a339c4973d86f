import { useCallback, useEffect, useState } from 'react'
import type { LogEntry, ServerView } from '../../web/api-types.ts'
import { Button, copyText, Icon } from '../host/primitives.tsx'
import { logLine, reportText } from '../model/log-text.ts'
import { Failure } from './controls.tsx'
import { usePage } from './page-context.ts'
import { useAction } from './use-action.ts'

/** The attempt log of a server, read when it is opened and again whenever the server's state changes. */
export function AttemptLog({ server }: { readonly server: ServerView }) {
  const { t, store, say } = usePage()
  const { run, failure } = useAction()
  const [open, setOpen] = useState(false)
  const [logs, setLogs] = useState<readonly LogEntry[]>()
  const { id } = server

  const read = useCallback(() => {
    run(async (signal) => setLogs((await store.api.logs(id, signal)).logs))
  }, [run, store, id])
  useEffect(() => {
    if (open) read()
  }, [open, read, server.status, server.error])

  const copy = async (): Promise<void> => {
    say((await copyText(reportText(server, logs ?? []))) ? t('copied') : t('copyFailed'))
  }
  return (
    <section className="mcp-part" aria-label={t('logs')}>
      <div className="mcp-actions">
        <Button variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'logsHide' : 'logs')}
        </Button>
        {open && logs !== undefined && logs.length > 0 && (
          <Button variant="ghost" onClick={() => void copy()} icon={<Icon name="CopyOutline16" size={14} />}>
            {t('logsCopy')}
          </Button>
        )}
      </div>
      {open && <Failure text={failure} />}
      {open && logs === undefined && failure === undefined && <p className="mcp-hint">{t('loading')}</p>}
      {open && logs?.length === 0 && <p className="mcp-hint">{t('logsEmpty')}</p>}
      {open && logs !== undefined && logs.length > 0 && (
        <pre className="mcp-log" tabIndex={0} aria-label={t('logs')}>
          {logs.map(logLine).join('\n')}
        </pre>
      )}
    </section>
  )
}
