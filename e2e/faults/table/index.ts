import type { Fault } from '../fault.ts'
import { kills } from './kills.ts'

/** Every fault the product must survive. */
export const faults: readonly Fault[] = [...kills]
