/**
 * Runs `work` while errors are made without a stack, and returns what it returns.
 *
 * The host takes five stacks for each registration, whether it fails or not (observed on DSH 0.1.0-rc.8: one per effect, per
 * access to a mixed-in method and per callback), which is more than half of what registering costs; for hundreds of tools at
 * once nobody reads them. An error thrown meanwhile keeps its message. Only what runs synchronously is affected; where the
 * limit cannot be changed (`node --frozen-intrinsics`) the work runs all the same.
 */
export function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return work()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit)
  }
}
