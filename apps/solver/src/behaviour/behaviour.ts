/** Modes of behaviour for tests against the solver; `normal` in production. */
const MODES = ['normal', 'slow', 'refuse', 'silent', 'dead'] as const;
type Mode = (typeof MODES)[number];

export interface Behaviour {
  mode: Mode;
  /** Delay of quotes and fills in mode `slow`. */
  delayMs: number;
  dieAfterFill: boolean;
}

export const NORMAL: Behaviour = { mode: 'normal', delayMs: 0, dieAfterFill: false };

const MAX_DELAY_MS = 600_000;

/** Parses the body of `PUT /v1/control`; returns a message when it is invalid. */
export function parseBehaviour(body: unknown): Behaviour | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a JSON object.';
  const {
    mode: given,
    delay_ms: delayMs = 0,
    die_after_fill: dieAfterFill = false,
  } = body as Record<string, unknown>;
  const mode = MODES.find((known) => known === given);
  if (mode === undefined) return `mode must be one of ${MODES.join(', ')}.`;
  if (typeof delayMs !== 'number' || !Number.isInteger(delayMs) || delayMs < 0) {
    return 'delay_ms must be a non-negative integer.';
  }
  if (delayMs > MAX_DELAY_MS) return `delay_ms must be at most ${MAX_DELAY_MS}.`;
  if (typeof dieAfterFill !== 'boolean') return 'die_after_fill must be a boolean.';
  return { mode, delayMs, dieAfterFill };
}
