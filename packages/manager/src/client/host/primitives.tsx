import type { ButtonHTMLAttributes, ComponentType, InputHTMLAttributes, ReactNode } from 'react'

/** Given to the bundle by the host's module loader; throws for a module that the host does not have. */
declare const require: (id: string) => unknown

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'primary' | 'ghost' | 'outline'
  readonly size?: 'md' | 'sm'
  readonly icon?: ReactNode
}

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly icon?: ReactNode
}

interface CodeProps {
  readonly code: string
  readonly lang?: string
  readonly copyLabel: string
  readonly copiedLabel: string
}

type IconProps = { readonly size?: number; readonly className?: string }

/** The host's primitives, each of which another host version may lack. */
interface Primitives {
  readonly Button?: ComponentType<ButtonProps>
  readonly Input?: ComponentType<InputProps>
  readonly StateDot?: ComponentType<{
    readonly state: 'done' | 'warning' | 'ongoing' | 'error'
    readonly size?: number
  }>
  readonly CodeBlock?: ComponentType<CodeProps>
  readonly Toast?: ComponentType<{ readonly text: string; readonly onDone: () => void }>
  readonly writeClipboard?: (text: string) => Promise<boolean>
  readonly [icon: `Icon${string}`]: ComponentType<IconProps> | undefined
}

function load(): Primitives {
  try {
    return require('@deepseek-ai/dsh-client-ui-primitives') as Primitives
  } catch {
    // A host without the module: the plain elements below do the same work.
    return {}
  }
}

const host = load()

/** A button of the host, else a plain one. */
export function Button({ variant = 'outline', size = 'sm', icon, children, ...rest }: ButtonProps) {
  if (host.Button !== undefined) {
    return (
      <host.Button variant={variant} size={size} icon={icon} {...rest}>
        {children}
      </host.Button>
    )
  }
  return (
    <button type="button" data-variant={variant} {...rest} className={`mcp-plain-button ${rest.className ?? ''}`}>
      {icon}
      {children}
    </button>
  )
}

/** A one-line input of the host, else a plain one. */
export function Input({ icon, className, ...rest }: InputProps) {
  if (host.Input !== undefined) return <host.Input icon={icon} className={className ?? ''} {...rest} />
  return (
    <span className={`mcp-plain-input ${className ?? ''}`}>
      {icon}
      <input {...rest} />
    </span>
  )
}

/** The dot before a name. `idle` is ours: the host has no dot for "nothing is known". */
export function Dot({ state }: { readonly state: 'done' | 'warning' | 'ongoing' | 'error' | 'idle' }) {
  if (state === 'idle' || host.StateDot === undefined)
    return <span className="mcp-dot" data-state={state} aria-hidden />
  return <host.StateDot state={state} />
}

/** A block of code that can be copied. */
export function Code({ code, lang, copyLabel, copiedLabel }: CodeProps) {
  if (host.CodeBlock === undefined) {
    return (
      // Reached by keyboard, so that a long line can be scrolled.
      <pre className="mcp-code" tabIndex={0}>
        {code}
      </pre>
    )
  }
  return <host.CodeBlock code={code} {...(lang === undefined ? {} : { lang })} {...{ copyLabel, copiedLabel }} />
}

/** A short message over the page. */
export function Toast({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  if (host.Toast !== undefined) return <host.Toast text={text} onDone={onDone} />
  return (
    <p role="alert">
      {text} <button type="button" onClick={onDone} aria-label="OK" />
    </p>
  )
}

/** An icon of the host by name, or nothing. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: number }) {
  const Found = host[`Icon${name}`]
  return Found === undefined ? null : <Found size={size} />
}

/** Puts a text on the clipboard; tells whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  if (host.writeClipboard !== undefined) return host.writeClipboard(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Not allowed here; the caller says so.
    return false
  }
}
