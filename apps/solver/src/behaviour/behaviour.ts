/** How the solver is told to behave; `normal` unless somebody develops against it. */
const MODES = ['normal', 'slow', 'refuse', 'silent', 'dead'] as const;
type Mode = (typeof MODES)[number];

export interface Behaviour {
  mode: Mode;
  /** How much later it quotes and fills while it is slow. */
  delayMs: number;
  dieAfterFill: boolean;
}

export const NORMAL: Behaviour = { mode: 'normal', delayMs: 0, dieAfterFill: false };

const MAX_DELAY_MS = 600_000;

/** Reads the body of `PUT /v1/control`; a string says what is wrong with it. */
export function parseBehaviour(body: unknown): Behaviour | string {
  if (typeof body !== 'object' || body === null) return 'The body has to be a JSON object.';
  const {
    mode: given,
    delay_ms: delayMs = 0,
    die_after_fill: dieAfterFill = false,
  } = body as Record<string, unknown>;
  const mode = MODES.find((known) => known === given);
  if (mode === undefined) return `mode has to be one of ${MODES.join(', ')}.`;
  if (typeof delayMs !== 'number' || !Number.isInteger(delayMs) || delayMs < 0) {
    return 'delay_ms has to be a count.';
  }
  if (delayMs > MAX_DELAY_MS) return `delay_ms has to be at most ${MAX_DELAY_MS}.`;
  if (typeof dieAfterFill !== 'boolean') return 'die_after_fill has to be a boolean.';
  return { mode, delayMs, dieAfterFill };
}
