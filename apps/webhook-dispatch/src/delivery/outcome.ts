/** What became of one attempt. */
export type AttemptOutcome =
  | { kind: 'acknowledged'; statusCode: number }
  | { kind: 'refused'; statusCode: number }
  | { kind: 'timeout' }
  | { kind: 'forbidden_address' }
  | { kind: 'unreachable'; reason: string };

/** Any 2xx acknowledges; everything else, redirects included, is a failed delivery. */
export const outcomeOfStatus = (statusCode: number): AttemptOutcome =>
  statusCode >= 200 && statusCode < 300
    ? { kind: 'acknowledged', statusCode }
    : { kind: 'refused', statusCode };
