/** Stored part of the answer of a receiver. */
export interface ReceiverAnswer {
  statusCode: number;
  contentType: string | null;
  retryAfter: string | null;
  body: Buffer;
}

/** Outcome of one attempt. */
export type AttemptOutcome =
  | { kind: 'acknowledged' | 'refused'; answer: ReceiverAnswer }
  | { kind: 'timeout' }
  | { kind: 'forbidden_address' }
  | { kind: 'unreachable'; reason: string };

export const OUTCOMES: readonly AttemptOutcome['kind'][] = [
  'acknowledged',
  'refused',
  'timeout',
  'unreachable',
  'forbidden_address',
];

/** Any 2xx acknowledges; everything else, redirects included, is a failed delivery. */
export const outcomeOfAnswer = (answer: ReceiverAnswer): AttemptOutcome => ({
  kind: answer.statusCode >= 200 && answer.statusCode < 300 ? 'acknowledged' : 'refused',
  answer,
});
